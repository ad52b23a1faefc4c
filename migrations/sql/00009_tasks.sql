-- +goose Up

-- Long work: what each piece of it is doing, or did last. A piece is a kind of
-- work on a subject, such as the update of one repository; its row says whether
-- it waits, runs or ended, and is what a person watches.
CREATE TABLE tasks (
    kind        TEXT    COLLATE "binary" NOT NULL,
    subject     TEXT    COLLATE "binary" NOT NULL, -- owner/name, an organisation, a folder
    item        TEXT    COLLATE "binary" NOT NULL, -- a pull request's number; else empty
    state       TEXT    NOT NULL, -- waiting, running, done, failed, cancelled
    job         BIGINT  NOT NULL, -- the queue's job that it waits for or runs in
    again       BOOLEAN NOT NULL, -- it was asked for anew while it ran
    cancel      BOOLEAN NOT NULL, -- it is to end
    worker      TEXT    NOT NULL, -- the process that runs it or ran it last
    beat        BIGINT, -- when that process last said that it lives
    attempt     BIGINT  NOT NULL, -- failures since it was asked for
    lost        BIGINT  NOT NULL, -- processes that died at it without any progress
    asked_at    BIGINT  NOT NULL,
    started_at  BIGINT,
    finished_at BIGINT,
    succeeded_at BIGINT, -- the start of the last run that succeeded
    next_at     BIGINT, -- when it is tried again
    phase       TEXT    NOT NULL,
    done        BIGINT  NOT NULL,
    total       BIGINT  NOT NULL,
    requests    BIGINT  NOT NULL,
    points      BIGINT  NOT NULL,
    skipped     BIGINT  NOT NULL,
    wait_until  BIGINT, -- GitHub's limit holds it up to then
    note        TEXT    NOT NULL,
    error       TEXT    NOT NULL, -- of the last failure, in words for a person
    PRIMARY KEY (kind, subject, item)
);
CREATE INDEX tasks_by_state ON tasks (state, asked_at);

-- Webhook deliveries that were taken, so that one that comes twice counts once.
CREATE TABLE webhook_deliveries (
    id          TEXT   COLLATE "binary" PRIMARY KEY,
    received_at BIGINT NOT NULL
);

INSERT INTO revisions (subject, revision) VALUES ('jobs', 0);

-- Whom a person asked to be forgotten: a digest of the account's id, so that
-- what is read of it afterwards is nobody's.
CREATE TABLE forgotten (
    digest TEXT   COLLATE "binary" PRIMARY KEY,
    at     BIGINT NOT NULL
);
