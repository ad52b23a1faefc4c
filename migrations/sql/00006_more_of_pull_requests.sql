-- +goose Up

-- What the catalogue's other metrics need of a pull request. NULL: unknown, or
-- not yet; "import" says which its file did not have.
ALTER TABLE pull_requests ADD COLUMN base TEXT; -- branch it was merged to
ALTER TABLE pull_requests ADD COLUMN merge_commit TEXT;
ALTER TABLE pull_requests ADD COLUMN first_commit BIGINT;
ALTER TABLE pull_requests ADD COLUMN deployed BIGINT; -- first deployment that holds its merge
ALTER TABLE pull_requests ADD COLUMN review_rounds BIGINT;
ALTER TABLE pull_requests ADD COLUMN reviewer_comments BIGINT;
ALTER TABLE pull_requests ADD COLUMN bot_threads BIGINT; -- opened by an AI reviewer
ALTER TABLE pull_requests ADD COLUMN bot_threads_acted_on BIGINT;
ALTER TABLE pull_requests ADD COLUMN assisted TEXT; -- strongest level of signals
ALTER TABLE pull_requests ADD COLUMN seen BIGINT; -- known as it stands until then; NULL: to the end of its import
