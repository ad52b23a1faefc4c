-- +goose Up
-- Marks the file as Steelyard's ("STLY"), for file(1) and for people.
PRAGMA application_id = 1398033497;
