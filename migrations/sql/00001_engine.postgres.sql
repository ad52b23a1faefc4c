-- +goose Up
-- SQLite sorts text by its bytes and calls that order "binary". This gives
-- PostgreSQL the same order under the same name, whatever its locale.
CREATE COLLATION "binary" FROM pg_catalog."C";
