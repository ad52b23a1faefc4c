-- +goose Up

-- Runs of the linter; id is the number of the write that saved it. A
-- repository's newest scan is the one saved last.
CREATE TABLE scans (
    id         BIGINT PRIMARY KEY,
    repository TEXT   COLLATE "binary" NOT NULL,
    git_commit TEXT   NOT NULL, -- empty: not known
    at         BIGINT NOT NULL,
    files      BIGINT NOT NULL
);
CREATE INDEX scans_by_repository ON scans (repository, id);

-- What a scan found, in the order of the run. Source lines are never stored:
-- they may hold secrets.
CREATE TABLE findings (
    scan       BIGINT NOT NULL REFERENCES scans (id),
    ordinal    BIGINT NOT NULL,
    rule       TEXT   COLLATE "binary" NOT NULL,
    name       TEXT   NOT NULL,
    severity   TEXT   NOT NULL,
    path       TEXT   COLLATE "binary" NOT NULL,
    line       BIGINT NOT NULL,
    col        BIGINT NOT NULL,
    end_line   BIGINT NOT NULL,
    end_col    BIGINT NOT NULL,
    message    TEXT   NOT NULL,
    related    TEXT   NOT NULL, -- JSON
    PRIMARY KEY (scan, ordinal)
);
