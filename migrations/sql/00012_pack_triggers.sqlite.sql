-- +goose Up

-- +goose StatementBegin
CREATE TRIGGER pull_requests_inserted AFTER INSERT ON pull_requests
WHEN NOT EXISTS (SELECT 1 FROM pull_packs_stale WHERE team = NEW.team AND span = NEW.opened / 2419200000)
BEGIN
    INSERT INTO pull_packs_stale (team, span) VALUES (NEW.team, NEW.opened / 2419200000);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER pull_requests_updated AFTER UPDATE ON pull_requests
BEGIN
    INSERT INTO pull_packs_stale (team, span) SELECT NEW.team, NEW.opened / 2419200000
        WHERE NOT EXISTS (SELECT 1 FROM pull_packs_stale WHERE team = NEW.team AND span = NEW.opened / 2419200000);
    INSERT INTO pull_packs_stale (team, span) SELECT OLD.team, OLD.opened / 2419200000
        WHERE NOT EXISTS (SELECT 1 FROM pull_packs_stale WHERE team = OLD.team AND span = OLD.opened / 2419200000);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER pull_requests_deleted AFTER DELETE ON pull_requests
WHEN NOT EXISTS (SELECT 1 FROM pull_packs_stale WHERE team = OLD.team AND span = OLD.opened / 2419200000)
BEGIN
    INSERT INTO pull_packs_stale (team, span) VALUES (OLD.team, OLD.opened / 2419200000);
END;
-- +goose StatementEnd
