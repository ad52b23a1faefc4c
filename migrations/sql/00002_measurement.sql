-- +goose Up

-- One counter a subject; every write transaction raises one and is numbered
-- by it.
CREATE TABLE revisions (
    subject  TEXT   PRIMARY KEY,
    revision BIGINT NOT NULL
);
INSERT INTO revisions (subject, revision) VALUES ('measurement', 0);
INSERT INTO revisions (subject, revision) VALUES ('lint', 0);

-- The definitions of pilots. definition is the pilot as JSON.
CREATE TABLE pilots (
    id         TEXT   COLLATE "binary" PRIMARY KEY,
    definition TEXT   NOT NULL,
    hash       TEXT   NOT NULL,
    saved_at   BIGINT NOT NULL
);

-- Definitions that were replaced; id is the number of the write that did it.
CREATE TABLE pilot_changes (
    pilot       TEXT    COLLATE "binary" NOT NULL REFERENCES pilots (id),
    id          BIGINT  NOT NULL,
    definition  TEXT    NOT NULL,
    hash        TEXT    NOT NULL,
    saved_at    BIGINT  NOT NULL,
    replaced_at BIGINT  NOT NULL,
    after_start BOOLEAN NOT NULL,
    what        TEXT    NOT NULL, -- JSON list of the fields that differ
    PRIMARY KEY (pilot, id)
);

-- What is remembered of each import; id is the number of its transaction.
CREATE TABLE imports (
    id       BIGINT PRIMARY KEY,
    pilot    TEXT   COLLATE "binary" REFERENCES pilots (id), -- NULL: pull requests
    file     TEXT   NOT NULL,
    sha256   TEXT   NOT NULL,
    kept     BIGINT NOT NULL, -- rows
    left_out TEXT   NOT NULL, -- JSON
    at       BIGINT NOT NULL
);
CREATE INDEX imports_by_pilot ON imports (pilot, id);

-- A pilot's panel is that of its newest import; earlier ones are removed.
CREATE TABLE panels (
    pilot    TEXT   COLLATE "binary" PRIMARY KEY REFERENCES pilots (id),
    import   BIGINT NOT NULL UNIQUE REFERENCES imports (id),
    kind     TEXT   NOT NULL, -- of period
    outcomes TEXT   NOT NULL  -- JSON list of the columns of panel_rows.measured
);

CREATE TABLE panel_units (
    import        BIGINT NOT NULL REFERENCES imports (id),
    unit          BIGINT NOT NULL, -- by first appearance
    name          TEXT   COLLATE "binary" NOT NULL,
    first_treated BIGINT, -- period; NULL: never
    PRIMARY KEY (import, unit),
    UNIQUE (import, name)
);

-- One unit in one period. measured is a JSON list with one number or null an
-- outcome: how many outcomes there are differs from panel to panel, and a
-- panel is always read whole.
CREATE TABLE panel_rows (
    import   BIGINT NOT NULL,
    unit     BIGINT NOT NULL,
    period   BIGINT NOT NULL,
    line     BIGINT NOT NULL, -- in the file
    exposure DOUBLE PRECISION,
    measured TEXT   NOT NULL,
    PRIMARY KEY (import, unit, period),
    FOREIGN KEY (import, unit) REFERENCES panel_units (import, unit)
);

-- Pull requests. Empty text and NULL times mean "not known" or "not yet".
CREATE TABLE pull_requests (
    id           TEXT    COLLATE "binary" PRIMARY KEY,
    repository   TEXT    NOT NULL,
    number       BIGINT  NOT NULL,
    author       TEXT    NOT NULL,
    author_bot   BOOLEAN NOT NULL,
    team         TEXT    COLLATE "binary" NOT NULL,
    opened       BIGINT  NOT NULL,
    ready        BIGINT,
    first_review BIGINT,
    merged       BIGINT,
    closed       BIGINT,
    reverted_at  BIGINT,
    additions    BIGINT, -- lines; NULL: unknown
    deletions    BIGINT,
    import       BIGINT  NOT NULL REFERENCES imports (id), -- the newest that named it
    line         BIGINT  NOT NULL -- in that import's file
);
CREATE INDEX pull_requests_by_team ON pull_requests (team, opened, id);
CREATE INDEX pull_requests_by_opened ON pull_requests (opened, id);
