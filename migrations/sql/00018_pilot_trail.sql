-- +goose Up

-- Who saved a pilot's definition on the dashboard, and what changed by it. Rows
-- are only added; that a pilot is deleted takes none away.
CREATE TABLE pilot_trail (
    id    BIGINT PRIMARY KEY, -- the number of the write that saved it
    pilot TEXT   COLLATE "binary" NOT NULL,
    at    BIGINT NOT NULL,
    actor TEXT   NOT NULL, -- who, as sign-in names them
    hash  TEXT   NOT NULL, -- of the definition that was saved
    what  TEXT   NOT NULL  -- JSON list of the fields that differ; of a new pilot: []
);
CREATE INDEX pilot_trail_by_pilot ON pilot_trail (pilot, id);
