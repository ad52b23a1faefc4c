-- +goose Up

-- Definitions of pilots that were deleted, and those that they had replaced
-- before; a pilot that is made anew under the same id shows them as its own
-- past. Columns as in pilot_changes.
CREATE TABLE pilot_past (
    pilot       TEXT    COLLATE "binary" NOT NULL,
    id          BIGINT  NOT NULL,
    definition  TEXT    NOT NULL,
    hash        TEXT    NOT NULL,
    saved_at    BIGINT  NOT NULL,
    replaced_at BIGINT  NOT NULL,
    after_start BOOLEAN NOT NULL,
    what        TEXT    NOT NULL,
    PRIMARY KEY (pilot, id)
);
