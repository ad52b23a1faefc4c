-- +goose Up

-- GitHub's own figures on the use of Copilot, by team: sums, and of no person.
-- The team '' holds who is in no team, or in several; it has a row on every day
-- that was read, so that a day without anybody differs from one not known.

-- Seats as they were on a day, by the day on which they were last used.
CREATE TABLE github_seats (
    organisation TEXT   COLLATE "binary" NOT NULL,
    day          BIGINT NOT NULL, -- midnight, UTC
    team         TEXT   COLLATE "binary" NOT NULL,
    last_active  BIGINT NOT NULL, -- midnight, UTC; 0: never
    seats        BIGINT NOT NULL,
    PRIMARY KEY (organisation, day, team, last_active)
);

-- How many people used it on a day, by GitHub's report of that day.
CREATE TABLE github_use (
    organisation TEXT   COLLATE "binary" NOT NULL,
    day          BIGINT NOT NULL, -- midnight, UTC
    team         TEXT   COLLATE "binary" NOT NULL,
    active       BIGINT NOT NULL,
    PRIMARY KEY (organisation, day, team)
);

-- When GitHub was last asked, and why it gave nothing.
CREATE TABLE github_use_sources (
    organisation TEXT   COLLATE "binary" NOT NULL,
    part         TEXT   COLLATE "binary" NOT NULL, -- seats, reports
    asked_at     BIGINT NOT NULL,
    problem      TEXT   NOT NULL, -- empty: it gave them
    PRIMARY KEY (organisation, part)
);
