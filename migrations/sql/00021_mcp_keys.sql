-- +goose Up

-- What the processes of one installation sign with, so that one takes what
-- another gave. A key is made once, by whoever needs it first, and no backup
-- holds it. It opens nothing: it shows that an answer belongs to a question.
CREATE TABLE mcp_keys (
    name TEXT   COLLATE "binary" PRIMARY KEY, -- what it signs
    key  TEXT   NOT NULL, -- hexadecimal
    made BIGINT NOT NULL  -- milliseconds since 1970 in UTC
);
