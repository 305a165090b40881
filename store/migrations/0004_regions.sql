-- What the region of a kernel computes, whatever the file around it, its name and
-- the compiler's arguments: by it `tune cc` finds results. A row is never changed.

CREATE TABLE region (
    kernel TEXT NOT NULL REFERENCES kernel (id),
    hash   TEXT NOT NULL CHECK (hash <> ''),        -- of the program that the front end makes of the region
    PRIMARY KEY (kernel, hash)
) WITHOUT ROWID;
CREATE INDEX region_by_hash ON region (hash);
