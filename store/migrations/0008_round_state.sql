-- What was found out about the machine in front of a round of a race.

CREATE TABLE round_state (
    session    TEXT NOT NULL REFERENCES session (uuid),
    round      INTEGER NOT NULL,
    round_trip REAL CHECK (round_trip > 0),         -- seconds of a cache line between two processors of the timings and back, NULL where unknown
    frequency  REAL CHECK (frequency > 0),          -- clock of one of them in Hz, NULL where unknown
    PRIMARY KEY (session, round)
) WITHOUT ROWID;

CREATE TRIGGER round_state_is_final BEFORE UPDATE ON round_state
BEGIN SELECT RAISE(ABORT, 'the state of a round is never changed'); END;

CREATE TRIGGER round_state_is_kept BEFORE DELETE ON round_state
BEGIN SELECT RAISE(ABORT, 'the state of a round is never deleted'); END;

CREATE VIEW rounds (session, kernel, size, machine, toolchain, round, round_trip, frequency) AS
SELECT session.uuid, kernel.name, session.size,
       CASE machine.name WHEN '' THEN machine.id ELSE machine.name END,
       session.toolchain, round_state.round, round_state.round_trip, round_state.frequency
FROM round_state
JOIN session ON session.uuid = round_state.session
JOIN kernel ON kernel.id = session.kernel
JOIN machine ON machine.id = session.machine;
