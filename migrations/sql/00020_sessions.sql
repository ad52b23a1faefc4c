-- +goose Up

-- Who is signed in on the dashboard. The number that a browser holds is not
-- here, only its SHA-256; times are milliseconds since 1970 in UTC.
CREATE TABLE sessions (
    id      TEXT   COLLATE "binary" PRIMARY KEY, -- hexadecimal
    subject TEXT   NOT NULL, -- the provider and its stable id of the person
    name    TEXT   NOT NULL, -- as the provider calls the person
    role    TEXT   NOT NULL, -- viewer or admin
    created BIGINT NOT NULL,
    seen    BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX sessions_by_expires ON sessions (expires);
