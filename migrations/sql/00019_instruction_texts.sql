-- +goose Up

-- The instruction files of a repository's newest scan, secrets starred: what an
-- assistant reads of them depends on the file it works on, so it is worked out
-- when somebody asks.
CREATE TABLE instruction_texts (
    repository TEXT   COLLATE "binary" PRIMARY KEY,
    git_commit TEXT   NOT NULL, -- empty: not known
    at         BIGINT NOT NULL,
    texts      BYTEA  NOT NULL  -- JSON, compressed
);
