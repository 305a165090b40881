-- What a session's variants are code for, on which device it was timed, and which part of
-- the time was compared: results of targets, devices and parts are never mixed. All are ''
-- for processors, as they were for all sessions before; the part is 'kernel' for kernels
-- alone and '' for all.
ALTER TABLE session ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN timing TEXT NOT NULL DEFAULT '' CHECK (timing IN ('', 'kernel'));
DROP INDEX session_by_key;
CREATE INDEX session_by_key ON session (kernel, size, machine, toolchain, target, device, timing);

-- Of a sample's seconds those in which kernels ran, and those in which data went to the
-- device and back, as its driver tells; NULL without a device.
ALTER TABLE sample ADD COLUMN kernel_seconds REAL CHECK (kernel_seconds >= 0);
ALTER TABLE sample ADD COLUMN transfer_seconds REAL CHECK (transfer_seconds >= 0);
ALTER TABLE control ADD COLUMN kernel_seconds REAL CHECK (kernel_seconds >= 0);
ALTER TABLE control ADD COLUMN transfer_seconds REAL CHECK (transfer_seconds >= 0);

DROP VIEW samples;
CREATE VIEW samples (trial, round, position, seconds, kernel_seconds, transfer_seconds) AS
SELECT trial, round, position, seconds, kernel_seconds, transfer_seconds FROM sample;

DROP VIEW trials;
CREATE VIEW trials (uuid, kernel, size, machine, toolchain, variant, partition, recipe,
                    status, detail, started, finished, target, device, timing) AS
SELECT trial.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), trial.variant, variant.partition, variant.recipe,
       trial.status, trial.detail, trial.started, trial.finished,
       CASE session.target WHEN '' THEN 'cpu' ELSE session.target END, session.device, CASE session.timing WHEN '' THEN 'total' ELSE session.timing END
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant;

DROP VIEW speedups;
CREATE VIEW speedups (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high,
                      rounds, verified, session, target, device, timing) AS
SELECT kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), trial.variant, variant.partition,
       trial.seconds, trial.speedup,
       CASE WHEN trial.certainty >= 2 THEN trial.speedup_low END, CASE WHEN trial.certainty >= 2 THEN trial.speedup_high END,
       trial.rounds, trial.verified, trial.session,
       CASE session.target WHEN '' THEN 'cpu' ELSE session.target END, session.device, CASE session.timing WHEN '' THEN 'total' ELSE session.timing END
FROM trial
JOIN session ON session.uuid = trial.session
JOIN kernel ON kernel.id = trial.kernel
JOIN machine ON machine.id = session.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant
WHERE trial.status = 'ok';

DROP VIEW controls;
CREATE VIEW controls (session, kernel, size, machine, toolchain, variant, round, seconds, again, target, device, timing) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       ifnull(trial.toolchain, session.toolchain), control.variant, control.round, sample.seconds, control.seconds,
       CASE session.target WHEN '' THEN 'cpu' ELSE session.target END, session.device, CASE session.timing WHEN '' THEN 'total' ELSE session.timing END
FROM control
JOIN session ON session.uuid = control.session
JOIN kernel ON kernel.id = control.kernel
JOIN machine ON machine.id = session.machine
JOIN trial ON trial.session = control.session AND trial.variant = control.variant
JOIN sample ON sample.trial = trial.uuid AND sample.round = control.round;

DROP VIEW rounds;
CREATE VIEW rounds (session, kernel, size, machine, toolchain, round, round_trip, frequency, target, device, timing) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       session.toolchain, round_state.round, round_state.round_trip, round_state.frequency,
       CASE session.target WHEN '' THEN 'cpu' ELSE session.target END, session.device, CASE session.timing WHEN '' THEN 'total' ELSE session.timing END
FROM round_state
JOIN session ON session.uuid = round_state.session
JOIN kernel ON kernel.id = session.kernel
JOIN machine ON machine.id = session.machine;

-- The views of what is first and best, as before, for each target and device. On a device
-- the original, which runs on processors, is the baseline alone: the best is a variant.
DROP VIEW best;
DROP VIEW best_trial;
DROP VIEW leading_trial;
DROP VIEW place;
DROP VIEW counted_trial;
CREATE VIEW counted_trial (kernel, size, machine, toolchain, builder, trial, variant, certainty, seconds, speedup, target, device, timing) AS
SELECT session.kernel, session.size, session.machine, session.toolchain, trial.toolchain,
       trial.uuid, trial.variant, trial.certainty, trial.seconds, trial.speedup, session.target, session.device, session.timing
FROM session JOIN trial ON trial.session = session.uuid
WHERE trial.status = 'ok' AND trial.verified = 1 AND NOT EXISTS (
    SELECT 1 FROM trial AS newer JOIN session AS later ON later.uuid = newer.session
    WHERE newer.kernel = trial.kernel AND newer.variant = trial.variant
      AND newer.status = 'ok' AND newer.verified = 1 AND newer.certainty >= 2
      AND (newer.started, newer.uuid) > (trial.started, trial.uuid)
      AND newer.toolchain IS trial.toolchain AND later.uuid <> session.uuid
      AND later.size = session.size AND later.machine = session.machine AND later.toolchain = session.toolchain
      AND later.target = session.target AND later.device = session.device AND later.timing = session.timing
      AND json_extract(later.settings, '$.threads') IS json_extract(session.settings, '$.threads'));

CREATE VIEW place (kernel, size, machine, toolchain, target, device, timing) AS
SELECT kernel, size, machine, toolchain, target, device, timing FROM session
UNION
SELECT session.kernel, session.size, session.machine, trial.toolchain, session.target, session.device, session.timing
FROM session JOIN trial ON trial.session = session.uuid
WHERE trial.toolchain IS NOT NULL;

CREATE VIEW leading_trial (kernel, size, machine, toolchain, trial, target, device, timing) AS
SELECT place.kernel, place.size, place.machine, place.toolchain,
       (SELECT uuid FROM trial WHERE uuid IN (
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.target = place.target AND c.device = place.device AND c.timing = place.timing
               AND c.toolchain = place.toolchain AND c.builder IS NULL
             ORDER BY speedup <= 1 OR variant LIKE 'original%', min(certainty, 2) DESC, speedup DESC, variant, trial LIMIT 1),
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.target = place.target AND c.device = place.device AND c.timing = place.timing
               AND c.builder = place.toolchain
             ORDER BY speedup <= 1 OR variant LIKE 'original%', min(certainty, 2) DESC, speedup DESC, variant, trial LIMIT 1))
        ORDER BY certainty >= 2 DESC, seconds, variant, uuid LIMIT 1),
       place.target, place.device, place.timing
FROM place;

CREATE VIEW best_trial (kernel, size, machine, toolchain, trial, target, device, timing) AS
SELECT place.kernel, place.size, place.machine, place.toolchain,
       (SELECT uuid FROM trial WHERE uuid IN (
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.target = place.target AND c.device = place.device AND c.timing = place.timing
               AND c.toolchain = place.toolchain AND c.builder IS NULL
               AND CASE place.target WHEN '' THEN certainty = 3 OR variant = 'original' ELSE variant NOT LIKE 'original%' END
             ORDER BY certainty DESC, speedup DESC, variant, trial LIMIT 1),
            (SELECT trial FROM counted_trial AS c
             WHERE c.kernel = place.kernel AND c.size = place.size AND c.machine = place.machine
               AND c.target = place.target AND c.device = place.device AND c.timing = place.timing
               AND c.builder = place.toolchain
               AND CASE place.target WHEN '' THEN certainty = 3 OR variant LIKE 'original@%' ELSE variant NOT LIKE 'original%' END
             ORDER BY certainty DESC, speedup DESC, variant, trial LIMIT 1))
        ORDER BY certainty >= 2 DESC, seconds, variant, uuid LIMIT 1),
       place.target, place.device, place.timing
FROM place;

CREATE VIEW best (kernel, size, machine, toolchain, variant, partition, seconds, speedup, low, high, target, device, timing) AS
SELECT current_kernel.name, best_trial.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       best_trial.toolchain, trial.variant, variant.partition,
       trial.seconds, trial.speedup,
       CASE WHEN trial.certainty >= 2 THEN trial.speedup_low END, CASE WHEN trial.certainty >= 2 THEN trial.speedup_high END,
       CASE best_trial.target WHEN '' THEN 'cpu' ELSE best_trial.target END, best_trial.device, CASE best_trial.timing WHEN '' THEN 'total' ELSE best_trial.timing END
FROM current_kernel
JOIN best_trial ON best_trial.kernel = current_kernel.id
JOIN trial ON trial.uuid = best_trial.trial
JOIN machine ON machine.id = best_trial.machine
JOIN variant ON variant.kernel = trial.kernel AND variant.id = trial.variant;
