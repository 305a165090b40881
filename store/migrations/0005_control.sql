-- The A/A control: a round of a race times one program twice, and the second
-- timing is a control. It is no trial of a variant, so that nothing that looks
-- at trials takes it for one. The view `controls` has the two side by side.

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
    stolen               REAL,                      -- seconds that the host took from its processors
    PRIMARY KEY (session, round, position),
    FOREIGN KEY (session, kernel) REFERENCES session (uuid, kernel),
    FOREIGN KEY (kernel, variant) REFERENCES variant (kernel, id)
) WITHOUT ROWID;

CREATE TRIGGER control_is_final BEFORE UPDATE ON control
BEGIN SELECT RAISE(ABORT, 'a control is never changed'); END;

CREATE TRIGGER control_is_kept BEFORE DELETE ON control
BEGIN SELECT RAISE(ABORT, 'a control is never deleted'); END;

ALTER TABLE sample ADD COLUMN elapsed REAL;  -- as in control
ALTER TABLE sample ADD COLUMN stolen REAL;

CREATE VIEW controls (session, kernel, size, machine, toolchain, variant, round, seconds, again) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       session.toolchain, control.variant, control.round, sample.seconds, control.seconds
FROM control
JOIN session ON session.uuid = control.session
JOIN kernel ON kernel.id = control.kernel
JOIN machine ON machine.id = session.machine
JOIN trial ON trial.session = control.session AND trial.variant = control.variant
JOIN sample ON sample.trial = trial.uuid AND sample.round = control.round;
