-- How much is known of a variant's speed: 0 a single timing of the screening, 1 rounds,
-- too few for an interval, 2 an interval of 95%, 3 known to be faster than the original,
-- however many others were compared with it. NULL unless the status is 'ok'.
ALTER TABLE trial ADD COLUMN certainty INTEGER CHECK (certainty BETWEEN 0 AND 3);

-- How many timings of a session its open trials were rated by; NULL before.
ALTER TABLE session ADD COLUMN rated INTEGER;

-- Of older trials only the interval is known. One change of what is never changed.
DROP TRIGGER trial_is_final;
UPDATE trial SET certainty = CASE
    WHEN coverage >= 0.95 AND speedup_low > 1 THEN 3
    WHEN coverage >= 0.95 THEN 2
    WHEN rounds > 1 THEN 1
    ELSE 0 END
WHERE status = 'ok';
CREATE TRIGGER trial_is_final BEFORE UPDATE ON trial WHEN OLD.finished IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trial is never changed'); END;

-- The order of the views below, with all that they read.
DROP INDEX trial_by_rank;
CREATE INDEX trial_by_rank ON trial (session, certainty DESC, speedup DESC, variant, uuid, toolchain, kernel, started)
WHERE status = 'ok' AND verified = 1;
CREATE INDEX trial_by_age ON trial (kernel, variant, started, session, toolchain)
WHERE status = 'ok' AND verified = 1 AND certainty >= 2;

-- Verified trials that count: where a variant was timed anew with an interval, at the same
-- size, in the same place and with as many threads, the newest does.
CREATE VIEW counted_trial (kernel, size, machine, toolchain, builder, trial, variant, certainty, seconds, speedup) AS
SELECT session.kernel, session.size, session.machine, session.toolchain, trial.toolchain,
       trial.uuid, trial.variant, trial.certainty, trial.seconds, trial.speedup
FROM session JOIN trial ON trial.session = session.uuid
WHERE trial.status = 'ok' AND trial.verified = 1 AND NOT EXISTS (
    SELECT 1 FROM trial AS newer JOIN session AS later ON later.uuid = newer.session
    WHERE newer.kernel = trial.kernel AND newer.variant = trial.variant
      AND newer.status = 'ok' AND newer.verified = 1 AND newer.certainty >= 2
      AND (newer.started, newer.uuid) > (trial.started, trial.uuid)
      AND newer.toolchain IS trial.toolchain AND later.uuid <> session.uuid
      AND later.size = session.size AND later.machine = session.machine AND later.toolchain = session.toolchain
      AND json_extract(later.settings, '$.threads') IS json_extract(session.settings, '$.threads'));

CREATE VIEW place (kernel, size, machine, toolchain) AS
SELECT kernel, size, machine, toolchain FROM session
UNION
SELECT session.kernel, session.size, session.machine, trial.toolchain
FROM session JOIN trial ON trial.session = session.uuid
WHERE trial.toolchain IS NOT NULL;

-- The first trial for each kernel (by hash), size, machine and toolchain: of the variants
-- that look faster than the original the one with the greatest speedup over its own
-- session's baseline, of those with an interval of 95%, or else of those of rounds, or
-- else of the screening. It need not be known to be faster. Speedups over the originals of different compilers do not compare: of
-- the first of a toolchain's own sessions and the first that it has built in those of
-- others, the one that takes fewer seconds is meant. Equals are ordered by variant, so
-- that the answer does not depend on the order of the rows.
CREATE VIEW leading_trial (kernel, size, machine, toolchain, trial) AS
SELECT place.kernel, place.size, place.machine, place.toolchain,
       (SELECT uuid FROM trial WHERE uuid IN (
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.toolchain = place.toolchain AND c.builder IS NULL
             ORDER BY speedup <= 1 OR variant LIKE 'original%', min(certainty, 2) DESC, speedup DESC, variant, trial LIMIT 1),
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.builder = place.toolchain
             ORDER BY speedup <= 1 OR variant LIKE 'original%', min(certainty, 2) DESC, speedup DESC, variant, trial LIMIT 1))
        ORDER BY certainty >= 2 DESC, seconds, variant, uuid LIMIT 1)
FROM place;

-- The best trial for each of these: the first of those that are known to be faster than
-- the original and, where there is none, the original's.
DROP VIEW best_trial;
CREATE VIEW best_trial (kernel, size, machine, toolchain, trial) AS
SELECT place.kernel, place.size, place.machine, place.toolchain,
       (SELECT uuid FROM trial WHERE uuid IN (
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.toolchain = place.toolchain AND c.builder IS NULL
               AND (certainty = 3 OR variant = 'original')
             ORDER BY certainty DESC, speedup DESC, variant, trial LIMIT 1),
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.builder = place.toolchain
               AND (certainty = 3 OR variant LIKE 'original@%')
             ORDER BY certainty DESC, speedup DESC, variant, trial LIMIT 1))
        ORDER BY certainty >= 2 DESC, seconds, variant, uuid LIMIT 1)
FROM place;

-- An interval that too few rounds are behind is none.
DROP VIEW best;
CREATE VIEW best (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high) AS
SELECT current_kernel.name, best_trial.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       best_trial.toolchain, trial.variant, variant.partition,
       trial.seconds, trial.speedup,
       CASE WHEN trial.certainty >= 2 THEN trial.speedup_low END, CASE WHEN trial.certainty >= 2 THEN trial.speedup_high END
FROM current_kernel
JOIN best_trial ON best_trial.kernel = current_kernel.id
JOIN trial ON trial.uuid = best_trial.trial
JOIN machine ON machine.id = best_trial.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant;

DROP VIEW speedups;
CREATE VIEW speedups (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high,
                      rounds, verified, session) AS
SELECT kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), trial.variant, variant.partition,
       trial.seconds, trial.speedup,
       CASE WHEN trial.certainty >= 2 THEN trial.speedup_low END, CASE WHEN trial.certainty >= 2 THEN trial.speedup_high END,
       trial.rounds, trial.verified, trial.session
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
WHERE trial.status = 'ok';
