-- +goose Up

-- Why a pull request is nobody's own work and is not measured; NULL: it is.
ALTER TABLE pull_requests ADD COLUMN set_apart TEXT;

-- Whether "deployed" was found by a deployment, and not said by its own file.
ALTER TABLE pull_requests ADD COLUMN deployed_linked BOOLEAN;

-- What an import is of, where it is neither a panel nor pull requests:
-- deployments, survey or cost.
ALTER TABLE imports ADD COLUMN kind TEXT;

-- Deployments to production that succeeded.
CREATE TABLE deployments (
    id          TEXT   COLLATE "binary" PRIMARY KEY,
    repository  TEXT   COLLATE "binary" NOT NULL,
    environment TEXT   NOT NULL,
    finished    BIGINT NOT NULL,
    sha         TEXT   NOT NULL, -- the commit deployed; empty: not known
    import      BIGINT NOT NULL REFERENCES imports (id)
);
CREATE INDEX deployments_by_repository ON deployments (repository, finished);

-- The commits that a deployment brought, where its file lists them.
CREATE TABLE deployment_commits (
    deployment TEXT COLLATE "binary" NOT NULL REFERENCES deployments (id),
    sha        TEXT COLLATE "binary" NOT NULL,
    PRIMARY KEY (deployment, sha)
);

-- Deployments look for merges by repository.
CREATE INDEX pull_requests_by_merge ON pull_requests (repository, merge_commit) WHERE merge_commit IS NOT NULL;

-- Answers to a survey, one row a question. respondent is a digest of the key
-- that the file gives.
CREATE TABLE survey_answers (
    respondent TEXT   COLLATE "binary" NOT NULL,
    day        BIGINT NOT NULL,
    team       TEXT   COLLATE "binary" NOT NULL,
    question   TEXT   COLLATE "binary" NOT NULL,
    answer     DOUBLE PRECISION NOT NULL,
    low        DOUBLE PRECISION NOT NULL, -- ends of the scale
    high       DOUBLE PRECISION NOT NULL,
    import     BIGINT NOT NULL REFERENCES imports (id),
    PRIMARY KEY (respondent, day, question)
);
CREATE INDEX survey_answers_by_team ON survey_answers (team, day);

-- What assistants cost, by team and day.
CREATE TABLE costs (
    team   TEXT   COLLATE "binary" NOT NULL,
    day    BIGINT NOT NULL,
    unit   TEXT   COLLATE "binary" NOT NULL, -- credits, or a currency's code
    amount DOUBLE PRECISION NOT NULL,
    import BIGINT NOT NULL REFERENCES imports (id),
    PRIMARY KEY (team, day, unit)
);
