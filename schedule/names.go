package schedule

import "polytune/scop"

// Row is an affine expression over the iterators of one statement and the
// program's parameters.
type Row = scop.Row
