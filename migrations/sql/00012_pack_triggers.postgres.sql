-- +goose Up

-- The row of a stale pack is locked also where it is there already: whoever
-- makes the pack anew takes the row first, and so waits for this transaction.

-- +goose StatementBegin
CREATE FUNCTION pull_requests_stale_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pull_packs_stale (team, span) SELECT DISTINCT team, opened / 2419200000 FROM new_rows ORDER BY 1, 2
        ON CONFLICT (team, span) DO UPDATE SET span = excluded.span;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION pull_requests_stale_old() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pull_packs_stale (team, span) SELECT DISTINCT team, opened / 2419200000 FROM old_rows ORDER BY 1, 2
        ON CONFLICT (team, span) DO UPDATE SET span = excluded.span;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION pull_requests_stale_both() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pull_packs_stale (team, span)
        SELECT team, opened / 2419200000 FROM old_rows UNION SELECT team, opened / 2419200000 FROM new_rows ORDER BY 1, 2
        ON CONFLICT (team, span) DO UPDATE SET span = excluded.span;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER pull_requests_inserted AFTER INSERT ON pull_requests REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pull_requests_stale_new();
CREATE TRIGGER pull_requests_updated AFTER UPDATE ON pull_requests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pull_requests_stale_both();
CREATE TRIGGER pull_requests_deleted AFTER DELETE ON pull_requests REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION pull_requests_stale_old();
