-- +goose Up

-- What a scan saw, whether anything was wrong with it or not: the governed
-- files with those who own and read them, and the MCP servers. Of a server
-- nothing is kept that could be a secret.
CREATE TABLE scan_files (
    scan    BIGINT NOT NULL REFERENCES scans (id),
    ordinal BIGINT NOT NULL,
    path    TEXT   COLLATE "binary" NOT NULL,
    kinds   TEXT   NOT NULL, -- JSON list
    readers TEXT   NOT NULL, -- JSON list
    owners  TEXT   NOT NULL, -- JSON list
    line    BIGINT NOT NULL, -- of CODEOWNERS; 0: none decides
    PRIMARY KEY (scan, ordinal)
);

CREATE TABLE scan_servers (
    scan    BIGINT  NOT NULL REFERENCES scans (id),
    ordinal BIGINT  NOT NULL,
    path    TEXT    COLLATE "binary" NOT NULL,
    line    BIGINT  NOT NULL,
    host    TEXT    COLLATE "binary" NOT NULL,
    name    TEXT    COLLATE "binary" NOT NULL,
    kind    TEXT    NOT NULL,
    target  TEXT    COLLATE "binary" NOT NULL,
    version TEXT    NOT NULL,
    pinned  BOOLEAN NOT NULL,
    off     BOOLEAN NOT NULL,
    PRIMARY KEY (scan, ordinal)
);
