-- Which points of the space a session has tried, and which variants they are:
-- several may have the same recipe. No row goes away.

CREATE TABLE candidate (
    session   TEXT NOT NULL REFERENCES session (uuid),
    partition TEXT NOT NULL,                        -- class vector, such as 0-1-1-2
    setting   TEXT NOT NULL,                        -- of the other axes, such as tile=wide; '' for all defaults
    variant   TEXT NOT NULL,                        -- its id; it has a trial unless the session was interrupted
    batch     INTEGER NOT NULL,                     -- 0 for what the session began with, then as the search proposed it
    binary    TEXT NOT NULL,                        -- hash of the machine code, '' where there is none
    PRIMARY KEY (session, partition, setting)
) WITHOUT ROWID;

CREATE TRIGGER candidate_is_kept BEFORE DELETE ON candidate
BEGIN SELECT RAISE(ABORT, 'a candidate is never deleted'); END;
