-- Who is at work, on what. These rows are about living processes: each is
-- removed when its process ends, or by others when they find it dead, and no
-- merge takes them along.

CREATE TABLE worker (
    uuid         TEXT PRIMARY KEY,
    session      TEXT NOT NULL REFERENCES session (uuid),
    host         TEXT NOT NULL,                     -- for people
    space        TEXT NOT NULL,                     -- where pid means something
    pid          INTEGER NOT NULL,
    born         TEXT NOT NULL,                     -- tells processes with equal numbers apart
    beat         INTEGER NOT NULL,                  -- grows as long as it lives; no clock is compared
    since        TEXT NOT NULL,                     -- for people, as all times here
    seen         TEXT NOT NULL,
    phase        TEXT NOT NULL,                     -- what it does: 'building', 'screening', 'racing', …
    done         INTEGER NOT NULL,                  -- candidates tried
    total        INTEGER NOT NULL,                  -- candidates
    round        INTEGER NOT NULL,                  -- of the race, 0 before
    best         TEXT NOT NULL,                     -- variant, '' before there is one
    seconds      REAL NOT NULL,                     -- of the best, 0 while unknown
    speedup      REAL NOT NULL,                     -- of the best, 0 while unknown
    seconds_left REAL                               -- estimate, NULL while unknown
);
CREATE INDEX worker_by_session ON worker (session);

-- What one worker has taken upon itself, so that no other does it: a variant's
-- first trial, or the session's race.
CREATE TABLE claim (
    session TEXT NOT NULL REFERENCES session (uuid),
    subject TEXT NOT NULL,
    worker  TEXT NOT NULL REFERENCES worker (uuid) ON DELETE CASCADE,
    PRIMARY KEY (session, subject)
) WITHOUT ROWID;
CREATE INDEX claim_by_worker ON claim (worker);

-- Whether a variant has a trial in a session.
CREATE INDEX trial_by_variant ON trial (session, variant, status);

-- The order of best_trial, with all that it reads.
CREATE INDEX trial_by_rank ON trial (session, coverage >= 0.95 DESC, speedup DESC, variant, uuid)
WHERE status = 'ok' AND verified = 1;

-- Every timed variant of every session, wherever it was and whether or not it is best.
CREATE VIEW speedups (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high,
                      rounds, verified, session) AS
SELECT kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       session.toolchain, trial.variant, variant.partition,
       trial.seconds, trial.speedup, trial.speedup_low, trial.speedup_high,
       trial.rounds, trial.verified, trial.session
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
WHERE trial.status = 'ok';
