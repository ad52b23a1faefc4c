-- +goose Up

-- Where a synchronisation stands, without any measurement changing.
INSERT INTO revisions (subject, revision) VALUES ('ingest', 0);
-- The version of the memberships by which pull requests are placed.
INSERT INTO revisions (subject, revision) VALUES ('teams', 0);
INSERT INTO revisions (subject, revision) VALUES ('placed', 0); -- the one by which all were

-- Repositories that are read from GitHub, by node id: names change.
CREATE TABLE github_repositories (
    id              TEXT    COLLATE "binary" PRIMARY KEY,
    number          BIGINT  NOT NULL, -- REST id
    name            TEXT    COLLATE "binary" NOT NULL, -- owner/name, the newest
    default_branch  TEXT    NOT NULL,
    archived        BOOLEAN NOT NULL,
    private         BOOLEAN NOT NULL,
    gone_at         BIGINT, -- since when GitHub has none of it for us
    import          BIGINT  NOT NULL REFERENCES imports (id), -- its standing row
    backfill_cursor TEXT    NOT NULL,
    backfill_began  BIGINT, -- start of the backfill's first run
    backfilled      BIGINT, -- when the backfill was whole; NULL: it is not
    commits_cursor  TEXT    NOT NULL,
    commits_whole   BOOLEAN NOT NULL, -- the branch was read to its beginning
    commits_until   BIGINT, -- the branch is read up to here
    watermark       BIGINT, -- start of the newest whole run
    known_until     BIGINT, -- what is open was open then
    listed          BIGINT  NOT NULL, -- pull requests read
    total           BIGINT  NOT NULL, -- pull requests that GitHub counted last
    reverts_wanted  BIGINT  NOT NULL, -- raised where links are to be made again
    reverts_made    BIGINT  NOT NULL, -- what it was when they were
    derived         BIGINT  NOT NULL, -- version of the rules by which all records were read
    missing         TEXT    NOT NULL, -- JSON: what could not be read
    problem         TEXT    NOT NULL, -- how the last run ended; empty: well
    ran             BIGINT  -- when that was
);
CREATE INDEX github_repositories_by_name ON github_repositories (name);

-- Every name that a repository had, and when it was first seen under it.
CREATE TABLE github_repository_names (
    repository TEXT   COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    since      BIGINT NOT NULL,
    name       TEXT   COLLATE "binary" NOT NULL,
    PRIMARY KEY (repository, since, name)
);
CREATE INDEX github_repository_names_by_name ON github_repository_names (name);

-- Accounts by node id; the login is for display and may change.
CREATE TABLE github_accounts (
    id     TEXT   COLLATE "binary" PRIMARY KEY,
    number BIGINT NOT NULL, -- REST id; 0: not known
    login  TEXT   NOT NULL,
    type   TEXT   NOT NULL -- User, Bot, Mannequin, Organization, …
);
CREATE INDEX github_accounts_by_number ON github_accounts (number);
CREATE INDEX github_accounts_by_login ON github_accounts (LOWER(login));

-- What is kept of each pull request, so that everything can be derived from it
-- again without asking GitHub. record is JSON.
CREATE TABLE github_pulls (
    id         TEXT    COLLATE "binary" PRIMARY KEY,
    repository TEXT    COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    number     BIGINT  NOT NULL,
    state      TEXT    NOT NULL, -- open, closed, merged
    opened     BIGINT  NOT NULL,
    updated    BIGINT  NOT NULL,
    vanished   BIGINT, -- since when GitHub no longer has it
    owner      TEXT    COLLATE "binary" NOT NULL, -- account it belongs to; empty: nobody known
    draft      BOOLEAN NOT NULL, -- it is one now
    set_apart  TEXT    NOT NULL, -- why it is no person's own work; empty: it is
    unplaced   TEXT    NOT NULL, -- why it is in no team; empty: it is in one
    incomplete BOOLEAN NOT NULL, -- parts of it could not be read
    record     TEXT    NOT NULL
);
CREATE INDEX github_pulls_by_repository ON github_pulls (repository, number);
CREATE INDEX github_pulls_by_state ON github_pulls (repository, state, set_apart);
CREATE INDEX github_pulls_by_owner ON github_pulls (owner, opened);

-- The marks that assistants left, one row a mark.
CREATE TABLE github_signals (
    pull     TEXT   COLLATE "binary" NOT NULL REFERENCES github_pulls (id),
    ordinal  BIGINT NOT NULL,
    tool     TEXT   COLLATE "binary" NOT NULL,
    kind     TEXT   NOT NULL,
    level    TEXT   NOT NULL,
    evidence TEXT   NOT NULL,
    count    BIGINT NOT NULL,
    PRIMARY KEY (pull, ordinal)
);

-- What reached a branch at once: merged pull requests, and of the default
-- branch the commits that came without one (number 0). facts is JSON: what the
-- search for reverts needs of its texts, not the texts.
CREATE TABLE github_changes (
    repository TEXT    COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    id         TEXT    COLLATE "binary" NOT NULL, -- of the pull request, or the hash
    number     BIGINT  NOT NULL,
    merged     BIGINT  NOT NULL,
    hash       TEXT    COLLATE "binary" NOT NULL, -- of the merge, or of the commit; empty: unknown
    on_default BOOLEAN NOT NULL, -- a pull request whose merge was seen on the default branch
    part_of    TEXT    COLLATE "binary" NOT NULL, -- the pull request that brought a commit; empty: none
    speaks     BOOLEAN NOT NULL, -- of a revert
    facts      TEXT    NOT NULL,
    PRIMARY KEY (repository, id)
);
CREATE INDEX github_changes_by_merge ON github_changes (repository, merged);
CREATE INDEX github_changes_by_hash ON github_changes (repository, hash);

-- Which change undid, or brought back, which.
CREATE TABLE github_reverts (
    repository TEXT    COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    change     TEXT    COLLATE "binary" NOT NULL,
    target     TEXT    COLLATE "binary" NOT NULL,
    reapply    BOOLEAN NOT NULL,
    partial    BOOLEAN NOT NULL,
    form       TEXT    NOT NULL,
    how        TEXT    NOT NULL,
    confidence TEXT    NOT NULL,
    evidence   TEXT    NOT NULL,
    PRIMARY KEY (repository, change, target)
);
CREATE INDEX github_reverts_by_target ON github_reverts (repository, target);

-- What became of each change that was ever undone.
CREATE TABLE github_revert_states (
    repository TEXT    COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    change     TEXT    COLLATE "binary" NOT NULL,
    reverted   BOOLEAN NOT NULL, -- it stands undone
    partial    BOOLEAN NOT NULL,
    undone_by  TEXT    COLLATE "binary" NOT NULL,
    undone_at  BIGINT  NOT NULL,
    first_at   BIGINT  NOT NULL,
    restored   BIGINT,
    counted    BIGINT, -- when it was reverted as measured; NULL: it does not count
    PRIMARY KEY (repository, change)
);

-- What looks like a revert and names nothing that is there: for a person.
CREATE TABLE github_unresolved (
    repository TEXT    COLLATE "binary" NOT NULL REFERENCES github_repositories (id),
    change     TEXT    COLLATE "binary" NOT NULL,
    ordinal    BIGINT  NOT NULL,
    form       TEXT    NOT NULL,
    partial    BOOLEAN NOT NULL,
    evidence   TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    PRIMARY KEY (repository, change, ordinal)
);

-- Where teams come from: a team of GitHub, a list in the configuration, or the
-- repositories whose pull requests are the team's.
CREATE TABLE team_sources (
    ordinal BIGINT NOT NULL PRIMARY KEY,
    team    TEXT   COLLATE "binary" NOT NULL,
    kind    TEXT   NOT NULL, -- github, list, repository
    name    TEXT   NOT NULL, -- ORGANISATION/SLUG, nothing, OWNER/NAME
    read_at BIGINT, -- when GitHub last said who is in it
    problem TEXT   NOT NULL
);

-- Who was in a team, from when (0: since before anybody looked) until when
-- (NULL: still). source is a kind and a name of team_sources, login what a list
-- calls the person: the account that first had it is who is meant.
CREATE TABLE team_members (
    source  TEXT   COLLATE "binary" NOT NULL,
    account TEXT   COLLATE "binary" NOT NULL,
    login   TEXT   NOT NULL,
    since   BIGINT NOT NULL,
    until   BIGINT,
    PRIMARY KEY (source, account, since)
);
