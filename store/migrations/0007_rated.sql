-- A session whose budget has ended goes on with the next call, and so do its open
-- trials. What they have shown until then is theirs all the same: an open trial
-- whose results were found good may have the status 'ok' and a summary, so that it
-- can be best, and still takes samples. Only the constraint changes, for which
-- SQLite lets the text of the schema be edited (ALTER TABLE, section 7).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (finished IS NOT NULL OR status = ''interrupted'')',
    'CHECK (finished IS NOT NULL OR status IN (''ok'', ''interrupted''))')
WHERE type = 'table' AND name = 'trial';
PRAGMA writable_schema = RESET;
