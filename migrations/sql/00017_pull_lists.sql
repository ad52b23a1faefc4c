-- +goose Up

-- Lists of pull requests by what is rare about them, along each team's time.
CREATE INDEX pull_requests_reverted ON pull_requests (team, merged, id) WHERE reverted_at IS NOT NULL;
CREATE INDEX pull_requests_open ON pull_requests (team, opened, id) WHERE merged IS NULL AND closed IS NULL;
CREATE INDEX pull_requests_assisted ON pull_requests (team, opened, id) WHERE assisted IS NOT NULL;
CREATE INDEX pull_requests_closed ON pull_requests (team, opened, id) WHERE merged IS NULL AND closed IS NOT NULL;
