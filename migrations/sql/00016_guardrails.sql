-- +goose Up

-- More of what a scan saw. NULL and '' stand for scans that were saved before
-- these were kept.
ALTER TABLE scans ADD COLUMN counts TEXT; -- JSON: findings by severity and rule
ALTER TABLE scan_files ADD COLUMN digest TEXT NOT NULL DEFAULT ''; -- of the content, shortened
ALTER TABLE scan_files ADD COLUMN since BIGINT; -- first scan in a row with this content
ALTER TABLE scan_servers ADD COLUMN command TEXT NOT NULL DEFAULT ''; -- how it is started, secrets starred
ALTER TABLE scan_servers ADD COLUMN secrets TEXT NOT NULL DEFAULT ''; -- none, reference, literal
ALTER TABLE scan_servers ADD COLUMN approval TEXT NOT NULL DEFAULT ''; -- JSON: the settings' own decision
ALTER TABLE scan_servers ADD COLUMN since BIGINT; -- first scan that saw it

-- The dependencies of a repository as its newest scan read them, packed: what
-- the next one is compared with.
CREATE TABLE dependency_trees (
    repository TEXT   COLLATE "binary" PRIMARY KEY,
    git_commit TEXT   NOT NULL, -- empty: not known
    first_at   BIGINT NOT NULL, -- of the first scan, which everything is new to
    at         BIGINT NOT NULL,
    tree       BYTEA  NOT NULL
);

-- Dependencies that scans saw as new, with the newest judgement of each. One
-- stays when its repository drops it; gone then says since when.
CREATE TABLE new_dependencies (
    repository    TEXT    COLLATE "binary" NOT NULL,
    item          TEXT    COLLATE "binary" NOT NULL, -- ecosystem, name, source and real name
    subject       TEXT    COLLATE "binary" NOT NULL, -- what a decision is about: ecosystem:name
    versioned     TEXT    COLLATE "binary" NOT NULL, -- the same with the version; subject where there is none
    ecosystem     TEXT    COLLATE "binary" NOT NULL,
    name          TEXT    COLLATE "binary" NOT NULL,
    resolved_name TEXT    NOT NULL,
    version       TEXT    NOT NULL,
    spec          TEXT    NOT NULL,
    path          TEXT    COLLATE "binary" NOT NULL,
    line          BIGINT  NOT NULL,
    direct        BOOLEAN NOT NULL,
    source        TEXT    NOT NULL, -- registry, private, git, url, local
    change        TEXT    NOT NULL, -- added, changed, lockfile
    judgement     TEXT    COLLATE "binary" NOT NULL, -- block, ask, legal, unverified, ok
    evidence      TEXT    NOT NULL, -- JSON list
    rules         TEXT    NOT NULL, -- JSON list
    published     BIGINT,           -- NULL: not known
    downloads     BIGINT,           -- a month; NULL: not known
    licences      TEXT    NOT NULL, -- JSON list
    licence_known BOOLEAN NOT NULL,
    committed     TEXT    NOT NULL, -- JSON: the settings' own decision; empty: none
    since         BIGINT  NOT NULL,
    judged        BIGINT  NOT NULL,
    gone          BIGINT,           -- NULL: still there
    PRIMARY KEY (repository, item)
);
CREATE INDEX new_dependencies_by_subject ON new_dependencies (subject);

-- What people decided about a dependency or a server. Rows are only added: the
-- newest of a subject holds, the others are the trail.
CREATE TABLE decisions (
    id      BIGINT  PRIMARY KEY, -- the number of the write that saved it
    kind    TEXT    COLLATE "binary" NOT NULL, -- dependency, server
    subject TEXT    COLLATE "binary" NOT NULL,
    verdict TEXT    NOT NULL, -- allowed, refused, withdrawn
    answers TEXT    NOT NULL, -- judgements between spaces; empty for a server
    reason  TEXT    NOT NULL,
    owner   TEXT    NOT NULL, -- a team or a role
    until   BIGINT,           -- the last day, midnight UTC; NULL: for good
    at      BIGINT  NOT NULL,
    actor   TEXT    NOT NULL, -- the role that recorded it
    newest  BOOLEAN NOT NULL
);
CREATE INDEX decisions_by_subject ON decisions (kind, subject, newest);

-- What registries answered, by a digest of the question; made anew from them.
CREATE TABLE registry_answers (
    question TEXT   COLLATE "binary" PRIMARY KEY,
    answer   TEXT   NOT NULL, -- JSON
    stored   BIGINT NOT NULL
);
CREATE INDEX registry_answers_by_age ON registry_answers (stored);

CREATE INDEX scans_by_time ON scans (at);
