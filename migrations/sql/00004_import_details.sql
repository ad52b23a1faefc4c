-- +goose Up

-- What else is remembered of an import, as JSON: the fields its file had, what
-- counts were counted over, and what a person should know of it. NULL: the
-- import is older than this column.
ALTER TABLE imports ADD COLUMN details TEXT;
