-- A session may try several compilers. A trial then says which one has built it;
-- NULL is the session's own, whose original is the baseline.

ALTER TABLE trial ADD COLUMN toolchain TEXT REFERENCES toolchain (id);
CREATE INDEX trial_by_toolchain ON trial (toolchain, session) WHERE toolchain IS NOT NULL;

-- The order of best_trial, with all that it reads.
DROP INDEX trial_by_rank;
CREATE INDEX trial_by_rank ON trial (session, coverage >= 0.95 DESC, speedup DESC, variant, uuid, toolchain)
WHERE status = 'ok' AND verified = 1;

DROP VIEW trials;
CREATE VIEW trials (uuid, kernel, size, machine, toolchain, variant, partition, recipe,
                    status, detail, started, finished) AS
SELECT trial.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), trial.variant, variant.partition, variant.recipe,
       trial.status, trial.detail, trial.started, trial.finished
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant;

DROP VIEW speedups;
CREATE VIEW speedups (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high,
                      rounds, verified, session) AS
SELECT kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), trial.variant, variant.partition,
       trial.seconds, trial.speedup, trial.speedup_low, trial.speedup_high,
       trial.rounds, trial.verified, trial.session
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
WHERE trial.status = 'ok';

DROP VIEW controls;
CREATE VIEW controls (session, kernel, size, machine, toolchain, variant, round, seconds, again) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), control.variant, control.round, sample.seconds, control.seconds
FROM control
JOIN session ON session.uuid = control.session
JOIN kernel ON kernel.id = control.kernel
JOIN machine ON machine.id = session.machine
JOIN trial ON trial.session = control.session AND trial.variant = control.variant
JOIN sample ON sample.trial = trial.uuid AND sample.round = control.round;

-- The best trial for each kernel (by hash), size, machine and toolchain: of the
-- verified ones with enough rounds for a 95% interval, the one with the greatest
-- speedup over its own session's baseline; those with fewer rounds count only
-- where there is no other. Speedups over the originals of different compilers do not
-- compare: of the best of a toolchain's own sessions and the best that it has
-- built in those of others, the one that takes fewer seconds is meant. Equals are ordered by variant, so
-- that the answer does not depend on the order of the rows.
DROP VIEW best_trial;
CREATE VIEW best_trial (kernel, size, machine, toolchain, trial) AS
SELECT place.kernel, place.size, place.machine, place.toolchain,
       (SELECT trial.uuid FROM trial WHERE trial.uuid IN (
            (SELECT trial.uuid
             FROM session JOIN trial ON trial.session = session.uuid
             WHERE session.kernel = place.kernel AND session.size = place.size
               AND session.machine = place.machine AND session.toolchain = place.toolchain
               AND trial.toolchain IS NULL AND trial.status = 'ok' AND trial.verified = 1
             ORDER BY trial.coverage >= 0.95 DESC, trial.speedup DESC, trial.variant, trial.uuid
             LIMIT 1),
            (SELECT trial.uuid
             FROM session JOIN trial ON trial.session = session.uuid
             WHERE session.kernel = place.kernel AND session.size = place.size
               AND session.machine = place.machine AND trial.toolchain = place.toolchain
               AND trial.status = 'ok' AND trial.verified = 1
             ORDER BY trial.coverage >= 0.95 DESC, trial.speedup DESC, trial.variant, trial.uuid
             LIMIT 1))
        ORDER BY trial.coverage >= 0.95 DESC, trial.seconds, trial.variant, trial.uuid
        LIMIT 1)
FROM (SELECT kernel, size, machine, toolchain FROM session
      UNION
      SELECT session.kernel, session.size, session.machine, trial.toolchain
      FROM session JOIN trial ON trial.session = session.uuid
      WHERE trial.toolchain IS NOT NULL) AS place;
