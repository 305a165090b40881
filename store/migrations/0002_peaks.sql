-- What programs of a toolchain can get out of a machine at most, as a benchmark
-- has measured it. A later measurement is a further row.

CREATE TABLE peak (
    uuid      TEXT PRIMARY KEY,
    machine   TEXT NOT NULL REFERENCES machine (id),
    toolchain TEXT NOT NULL REFERENCES toolchain (id),
    measured  TEXT NOT NULL,
    rates     TEXT NOT NULL                         -- JSON: operations and bytes a second by threads
);
CREATE INDEX peak_by_machine ON peak (machine, toolchain);

CREATE TRIGGER peak_is_final BEFORE UPDATE ON peak
BEGIN SELECT RAISE(ABORT, 'a measured peak is never changed'); END;

CREATE TRIGGER peak_is_kept BEFORE DELETE ON peak
BEGIN SELECT RAISE(ABORT, 'a measured peak is never deleted'); END;
