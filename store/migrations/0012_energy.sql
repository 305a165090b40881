-- The energy in joules that a timing took, as the machine's counters tell; NULL where none do.
ALTER TABLE sample ADD COLUMN joules REAL CHECK (joules > 0);
ALTER TABLE control ADD COLUMN joules REAL CHECK (joules > 0);
DROP VIEW samples;
CREATE VIEW samples (trial, round, position, seconds, kernel_seconds, transfer_seconds, joules) AS
SELECT trial, round, position, seconds, kernel_seconds, transfer_seconds, joules FROM sample;

-- What is compared may also be energy, or energy times time ('edp'): as results of different parts
-- of the time, these are never mixed. The views, which name the column, stay as they are.
PRAGMA legacy_alter_table = ON;
CREATE TABLE kernel_timed AS SELECT uuid FROM session WHERE timing = 'kernel';
DROP INDEX session_by_key;
ALTER TABLE session DROP COLUMN timing;
ALTER TABLE session ADD COLUMN timing TEXT NOT NULL DEFAULT '' CHECK (timing IN ('', 'kernel', 'energy', 'edp'));
UPDATE session SET timing = 'kernel' WHERE uuid IN (SELECT uuid FROM kernel_timed);
DROP TABLE kernel_timed;
CREATE INDEX session_by_key ON session (kernel, size, machine, toolchain, target, device, timing);
PRAGMA legacy_alter_table = OFF;
