-- A database of schema version 11 with a few rows, as a program of that time wrote it. It is never changed.
PRAGMA application_id = 1414876741;
PRAGMA user_version = 11;
BEGIN TRANSACTION;
CREATE TABLE candidate (
    session   TEXT NOT NULL REFERENCES session (uuid),
    partition TEXT NOT NULL,                        -- class vector, such as 0-1-1-2
    setting   TEXT NOT NULL,                        -- of the other axes, such as tile=wide; '' for all defaults
    variant   TEXT NOT NULL,                        -- its id; it has a trial unless the session was interrupted
    batch     INTEGER NOT NULL,                     -- 0 for what the session began with, then as the search proposed it
    binary    TEXT NOT NULL,                        -- hash of the machine code, '' where there is none
    PRIMARY KEY (session, partition, setting)
) WITHOUT ROWID;
INSERT INTO candidate VALUES('0195-s','0-0-1-1','','0-0-1-1.aabbccdd',0,'b1');
INSERT INTO candidate VALUES('0195-s','0-1-1-2','tile=wide','0-1-1-2.11223344',1,'');
CREATE TABLE claim (
    session TEXT NOT NULL REFERENCES session (uuid),
    subject TEXT NOT NULL,
    worker  TEXT NOT NULL REFERENCES worker (uuid) ON DELETE CASCADE,
    PRIMARY KEY (session, subject)
) WITHOUT ROWID;
INSERT INTO claim VALUES('0195-s','0-1-2-3.99999999','w1');
CREATE TABLE control (
    session              TEXT NOT NULL,
    kernel               TEXT NOT NULL,
    variant              TEXT NOT NULL,             -- whose program it is
    round                INTEGER NOT NULL,
    position             INTEGER NOT NULL,          -- place in the order of the round
    seconds              REAL NOT NULL CHECK (seconds > 0),
    voluntary_switches   INTEGER,
    involuntary_switches INTEGER,
    minor_faults         INTEGER,
    major_faults         INTEGER,
    max_rss              INTEGER,                   -- bytes
    elapsed              REAL,                      -- seconds of the whole process
    stolen               REAL, kernel_seconds REAL CHECK (kernel_seconds >= 0), transfer_seconds REAL CHECK (transfer_seconds >= 0),                      -- seconds that the host took from its processors
    PRIMARY KEY (session, round, position),
    FOREIGN KEY (session, kernel) REFERENCES session (uuid, kernel),
    FOREIGN KEY (kernel, variant) REFERENCES variant (kernel, id)
) WITHOUT ROWID;
INSERT INTO control VALUES('0195-s','k1','original',1,4,1.01,1,2,3,4,5,1.2,0.01,NULL,NULL);
CREATE TABLE kernel (
    id          TEXT PRIMARY KEY CHECK (id <> ''),  -- hash of the name, the region and what it depends on
    name        TEXT NOT NULL CHECK (name <> ''),   -- such as polybench/2mm
    registered  TEXT NOT NULL
);
INSERT INTO kernel VALUES('k1','polybench/2mm','2026-03-01T10:00:00.000Z');
CREATE TABLE machine (
    id          TEXT PRIMARY KEY CHECK (id <> ''),  -- hash of the fingerprint
    name        TEXT NOT NULL,                      -- as configured, or ''
    description TEXT NOT NULL,                      -- JSON: the fingerprint
    registered  TEXT NOT NULL
);
INSERT INTO machine VALUES('m1','alpha','{"cpu":"test"}','2026-03-01T10:00:00.000Z');
CREATE TABLE peak (
    uuid      TEXT PRIMARY KEY,
    machine   TEXT NOT NULL REFERENCES machine (id),
    toolchain TEXT NOT NULL REFERENCES toolchain (id),
    measured  TEXT NOT NULL,
    rates     TEXT NOT NULL                         -- JSON: operations and bytes a second by threads
);
INSERT INTO peak VALUES('0195-p','m1','c1','2026-03-01T10:00:00.000Z','{"flops":1}');
CREATE TABLE region (
    kernel TEXT NOT NULL REFERENCES kernel (id),
    hash   TEXT NOT NULL CHECK (hash <> ''),        -- of the program that the front end makes of the region
    PRIMARY KEY (kernel, hash)
) WITHOUT ROWID;
INSERT INTO region VALUES('k1','hash of the region');
CREATE TABLE round_state (
    session    TEXT NOT NULL REFERENCES session (uuid),
    round      INTEGER NOT NULL,
    round_trip REAL CHECK (round_trip > 0),         -- seconds of a cache line between two processors of the timings and back, NULL where unknown
    frequency  REAL CHECK (frequency > 0),          -- clock of one of them in Hz, NULL where unknown
    PRIMARY KEY (session, round)
) WITHOUT ROWID;
INSERT INTO round_state VALUES('0195-s',1,1.0e-07,3000000000.0);
INSERT INTO round_state VALUES('0195-s',2,NULL,NULL);
CREATE TABLE sample (
    trial                TEXT NOT NULL REFERENCES trial (uuid),
    round                INTEGER NOT NULL,
    position             INTEGER NOT NULL,          -- place in the order of the round
    seconds              REAL NOT NULL CHECK (seconds > 0),
    voluntary_switches   INTEGER,
    involuntary_switches INTEGER,
    minor_faults         INTEGER,
    major_faults         INTEGER,
    max_rss              INTEGER, elapsed REAL, stolen REAL, kernel_seconds REAL CHECK (kernel_seconds >= 0), transfer_seconds REAL CHECK (transfer_seconds >= 0),                   -- bytes
    PRIMARY KEY (trial, round, position)
) WITHOUT ROWID;
INSERT INTO sample VALUES('t0',0,0,1.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t0',1,0,1.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t0',2,0,1.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t1',0,0,0.5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t1',1,0,0.5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t1',2,0,0.5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t2',0,0,0.75,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t2',1,0,0.75,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t2',2,0,0.75,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO sample VALUES('t2',3,1,0.76,1,2,3,4,5,0.9,0.02,NULL,NULL);
INSERT INTO sample VALUES('t9',0,0,0.5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0.25,0.125);
CREATE TABLE session (
    uuid        TEXT PRIMARY KEY,
    kernel      TEXT NOT NULL REFERENCES kernel (id),
    size        TEXT NOT NULL,
    machine     TEXT NOT NULL REFERENCES machine (id),
    toolchain   TEXT NOT NULL REFERENCES toolchain (id),
    settings    TEXT NOT NULL,                      -- canonical JSON: what decides whether trials compare
    details     TEXT NOT NULL,                      -- JSON: anything else worth keeping
    started     TEXT NOT NULL,
    opened      TEXT NOT NULL,                      -- last start or resume
    finished    TEXT, rated INTEGER, target TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', timing TEXT NOT NULL DEFAULT '' CHECK (timing IN ('', 'kernel')),
    UNIQUE (uuid, kernel)
);
INSERT INTO session VALUES('0195-s','k1','large','m1','c1','{"threads":2}','{"seed":1}','2026-03-01T10:00:00.000Z','2026-03-01T10:00:00.000Z',NULL,NULL,'','','');
INSERT INTO session VALUES('0196-s','k1','large','m1','c1','{"threads":2}','{"seed":1}','2026-03-01T10:00:00.000Z','2026-03-01T10:00:00.000Z',NULL,NULL,'opencl','gpu','kernel');
CREATE TABLE toolchain (
    id          TEXT PRIMARY KEY CHECK (id <> ''),  -- hash of path, version, flags, target
    name        TEXT NOT NULL,                      -- such as gcc
    version     TEXT NOT NULL,
    description TEXT NOT NULL,                      -- JSON: what the hash is made of
    registered  TEXT NOT NULL
);
INSERT INTO toolchain VALUES('c1','gcc','12.2.0','{}','2026-03-01T10:00:00.000Z');
CREATE TABLE trial (
    uuid         TEXT PRIMARY KEY,
    session      TEXT NOT NULL,
    kernel       TEXT NOT NULL,
    variant      TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('ok', 'illegal', 'codegen-failed', 'compile-failed',
                                                 'crashed', 'timeout', 'wrong-result', 'interrupted')),
    verified     INTEGER NOT NULL CHECK (verified IN (0, 1)),
    detail       TEXT NOT NULL,
    started      TEXT NOT NULL,
    finished     TEXT,
    rounds       INTEGER,  -- rounds in which both this trial and the baseline were timed
    seconds      REAL,     -- median, with the interval seconds_low to seconds_high
    seconds_low  REAL,
    seconds_high REAL,
    speedup      REAL,     -- median of the paired ratios baseline/variant; 1 for the baseline
    speedup_low  REAL,
    speedup_high REAL,
    coverage     REAL, toolchain TEXT REFERENCES toolchain (id), certainty INTEGER CHECK (certainty BETWEEN 0 AND 3),     -- probability that speedup_low to speedup_high holds the true median
    FOREIGN KEY (session, kernel) REFERENCES session (uuid, kernel),
    FOREIGN KEY (kernel, variant) REFERENCES variant (kernel, id),
    CHECK (finished IS NOT NULL OR status IN ('ok', 'interrupted')),
    CHECK (status = 'ok'
           AND rounds > 0 AND coverage IS NOT NULL
           AND seconds_low > 0 AND seconds_low <= seconds AND seconds <= seconds_high AND seconds_high IS NOT NULL
           AND speedup_low > 0 AND speedup_low <= speedup AND speedup <= speedup_high AND speedup_high IS NOT NULL
        OR status <> 'ok'
           AND rounds IS NULL AND coverage IS NULL
           AND seconds IS NULL AND seconds_low IS NULL AND seconds_high IS NULL
           AND speedup IS NULL AND speedup_low IS NULL AND speedup_high IS NULL)
);
INSERT INTO trial VALUES('t0','0195-s','k1','original','ok',1,'','2026-03-01T10:00:03.000Z','2026-03-01T10:01:00.000Z',8,1.0,0.9,1.1,1.0,0.9,1.1,0.99,NULL,2);
INSERT INTO trial VALUES('t1','0195-s','k1','0-0-1-1.aabbccdd','ok',1,'','2026-03-01T10:00:03.000Z','2026-03-01T10:01:00.000Z',8,0.5,0.45,0.55,2.0,1.8,2.2,0.99,NULL,3);
INSERT INTO trial VALUES('t2','0195-s','k1','0-1-1-2.11223344','interrupted',0,'','2026-03-01T10:00:03.000Z',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO trial VALUES('t8','0196-s','k1','original','ok',1,'','2026-03-01T10:00:03.000Z','2026-03-01T10:01:00.000Z',8,1.0,0.9,1.1,1.0,0.9,1.1,0.99,NULL,2);
INSERT INTO trial VALUES('t9','0196-s','k1','0-0-1-1.aabbccdd','ok',1,'','2026-03-01T10:00:03.000Z','2026-03-01T10:01:00.000Z',8,0.5,0.45,0.55,2.0,1.8,2.2,0.99,NULL,3);
CREATE TABLE variant (
    kernel      TEXT NOT NULL REFERENCES kernel (id),
    id          TEXT NOT NULL CHECK (id <> ''),     -- 'original' for the baseline
    partition   TEXT NOT NULL,                      -- class vector, such as 0-1-1-2; '' for the baseline
    recipe      TEXT NOT NULL,
    registered  TEXT NOT NULL,
    PRIMARY KEY (kernel, id)
);
INSERT INTO variant VALUES('k1','original','','','2026-03-01T10:00:00.000Z');
INSERT INTO variant VALUES('k1','0-0-1-1.aabbccdd','0-0-1-1','tile c0.1 by 32','2026-03-01T10:00:01.000Z');
INSERT INTO variant VALUES('k1','0-1-1-2.11223344','0-1-1-2','tile c0.1 by 16','2026-03-01T10:00:02.000Z');
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
INSERT INTO worker VALUES('w1','0195-s','node','boot pid:[1]',7,'42',9,'2026-03-01T10:00:00.000Z','2026-03-01T10:01:00.000Z','building',1,2,0,'',0.0,0.0,NULL);
CREATE INDEX kernel_by_name ON kernel (name);
CREATE INDEX trial_by_session ON trial (session, status);
CREATE INDEX peak_by_machine ON peak (machine, toolchain);
CREATE INDEX worker_by_session ON worker (session);
CREATE INDEX claim_by_worker ON claim (worker);
CREATE INDEX trial_by_variant ON trial (session, variant, status);
CREATE INDEX region_by_hash ON region (hash);
CREATE INDEX trial_by_toolchain ON trial (toolchain, session) WHERE toolchain IS NOT NULL;
CREATE INDEX trial_by_rank ON trial (session, certainty DESC, speedup DESC, variant, uuid, toolchain, kernel, started)
WHERE status = 'ok' AND verified = 1;
CREATE INDEX trial_by_age ON trial (kernel, variant, started, session, toolchain)
WHERE status = 'ok' AND verified = 1 AND certainty >= 2;
CREATE INDEX session_by_key ON session (kernel, size, machine, toolchain, target, device, timing);
CREATE TRIGGER trial_is_kept BEFORE DELETE ON trial WHEN OLD.finished IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trial is never deleted'); END;
CREATE TRIGGER sample_is_in_time BEFORE INSERT ON sample
WHEN (SELECT finished FROM trial WHERE uuid = NEW.trial) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trial takes no more samples'); END;
CREATE TRIGGER sample_is_final BEFORE UPDATE ON sample
BEGIN SELECT RAISE(ABORT, 'a sample is never changed'); END;
CREATE TRIGGER sample_is_kept BEFORE DELETE ON sample
WHEN (SELECT finished FROM trial WHERE uuid = OLD.trial) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a sample of a finished trial is never deleted'); END;
CREATE TRIGGER peak_is_final BEFORE UPDATE ON peak
BEGIN SELECT RAISE(ABORT, 'a measured peak is never changed'); END;
CREATE TRIGGER peak_is_kept BEFORE DELETE ON peak
BEGIN SELECT RAISE(ABORT, 'a measured peak is never deleted'); END;
CREATE TRIGGER control_is_final BEFORE UPDATE ON control
BEGIN SELECT RAISE(ABORT, 'a control is never changed'); END;
CREATE TRIGGER control_is_kept BEFORE DELETE ON control
BEGIN SELECT RAISE(ABORT, 'a control is never deleted'); END;
CREATE TRIGGER candidate_is_kept BEFORE DELETE ON candidate
BEGIN SELECT RAISE(ABORT, 'a candidate is never deleted'); END;
CREATE TRIGGER round_state_is_final BEFORE UPDATE ON round_state
BEGIN SELECT RAISE(ABORT, 'the state of a round is never changed'); END;
CREATE TRIGGER round_state_is_kept BEFORE DELETE ON round_state
BEGIN SELECT RAISE(ABORT, 'the state of a round is never deleted'); END;
CREATE TRIGGER trial_is_final BEFORE UPDATE ON trial WHEN OLD.finished IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished trial is never changed'); END;
CREATE VIEW current_kernel (id, name) AS
SELECT id, name FROM kernel
WHERE id = (SELECT session.kernel
            FROM kernel AS other JOIN session ON session.kernel = other.id
            WHERE other.name = kernel.name
            ORDER BY session.opened DESC, session.uuid DESC LIMIT 1);
CREATE VIEW samples (trial, round, position, seconds, kernel_seconds, transfer_seconds) AS
SELECT trial, round, position, seconds, kernel_seconds, transfer_seconds FROM sample;
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
CREATE VIEW rounds (session, kernel, size, machine, toolchain, round, round_trip, frequency, target, device, timing) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       session.toolchain, round_state.round, round_state.round_trip, round_state.frequency,
       CASE session.target WHEN '' THEN 'cpu' ELSE session.target END, session.device, CASE session.timing WHEN '' THEN 'total' ELSE session.timing END
FROM round_state
JOIN session ON session.uuid = round_state.session
JOIN kernel ON kernel.id = session.kernel
JOIN machine ON machine.id = session.machine;
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
COMMIT;
