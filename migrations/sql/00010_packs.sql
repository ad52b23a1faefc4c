-- +goose Up

-- What measurement needs of the pull requests of one team that were opened in
-- one span of four weeks, packed, so that a report reads some thousand rows and
-- not a million. A pack holds nothing that pull_requests does not; one that
-- pull_packs_stale names, or of another version, is not read.
CREATE TABLE pull_packs (
    team    TEXT   COLLATE "binary" NOT NULL,
    span    BIGINT NOT NULL, -- opening time in milliseconds, divided by 2419200000, towards 0
    version BIGINT NOT NULL, -- of the pack's format
    latest  BIGINT NOT NULL, -- newest opening or merge in it
    counts  BYTEA  NOT NULL, -- of the rows, and their authors
    pack    BYTEA  NOT NULL,
    PRIMARY KEY (team, span)
);
CREATE INDEX pull_packs_by_version ON pull_packs (version);

-- The packs that do not hold what pull_requests holds. Triggers name them,
-- whoever writes; the next write transaction of the program makes them anew.
CREATE TABLE pull_packs_stale (
    team TEXT   COLLATE "binary" NOT NULL,
    span BIGINT NOT NULL,
    PRIMARY KEY (team, span)
);
INSERT INTO pull_packs_stale (team, span) SELECT DISTINCT team, opened / 2419200000 FROM pull_requests;

INSERT INTO revisions (subject, revision) VALUES ('packs', 0);
