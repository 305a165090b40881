// Package frontend turns C source into polyhedral programs: it finds the
// regions between #pragma scop and #pragma endscop, checks that they are
// static control parts, and extracts statements, iteration domains and
// accesses as isl text.
//
// The C front end proper (preprocessor, parser, types) is modernc.org/cc/v4.
// What cannot be modelled exactly, or at least safely over-approximated, is
// refused with an Error that names the place, the construct and what would be
// accepted; there is never a guess.
//
// # Where to find what
//
//   - what a region may contain: docs/regions.md
//   - loops: loop.go; break and continue under affine conditions: jump.go, what they leave in
//     iterators: brokenend.go
//   - values: evaluate.go, quotient.go, inline.go; constants: constant.go; operators on bits:
//     bits.go; facts: assumed.go, promised.go; conditions: condition.go
//   - memory: lvalue.go, arrays.go, collector.go; initial values: initial.go; names that nothing
//     uses any more: unused.go
//   - rows in one subscript: rows.go, rowerrors.go; which lengths they have: rowlengths.go; in
//     unsigned arithmetic: unsignedrows.go; products: rowproduct.go; piecewise ones: standin.go;
//     their names in the statements: rowtext.go
//   - what becomes a statement: emitted.go; its tree: tree.go; the names of statements: named.go
//   - calls: call.go, effect.go; what a function's body does: callee.go, of functions that are
//     trusted: purity.go, without effect: effectless.go
//   - what depends on data, or has loops that the model has not: opaque.go; how a subscript depends
//     on data: datum.go, what bounds it by itself: upperbound.go; the extents of such arrays:
//     scop/bounds.go
//   - why a region is read again: reading.go, more coarsely, or with macros written out:
//     writeout.go
//   - names: definition.go, declaration.go; macros: source.go
//   - messages: frontend/testdata/bad/messages.golden
//   - which value an integer variable has: followed.go (assignments and branches), counted.go and
//     gains.go (loops that count), embedded.go (buf[k++]), frontvalue.go (one value for all of the
//     region), initialvalue.go (the first one), integervalue.go (what a value is), final.go (what
//     is left behind the region)
//   - what the parser gets until it understands a file: translate.go, parserrun.go; what is blank
//     or simpler for it: parsertext.go; types of numbers that others stand for: carrier.go; whether
//     a compiler takes the file: syntax.go
//   - what it knows of the compiler's options: hostmodel.go, pipeline/buildflags/buildflags.go,
//     pipeline/compilermacros.go
//   - _Generic, ({ … }), __auto_type, compound literals, parts of vectors and complex numbers:
//     extension.go, initial.go
//   - how many elements an argument has whose declaration does not say it: passed.go; which
//     parameters a function makes of its sizes: derived.go, scop/derived.go
//   - pointers and sizes in a caller's data that a driver sets: held.go, scop/held.go,
//     runner/driverheld.go
//   - headers, vectors, pointers to rows: skipped.go, vectoreffect.go, pointedrows.go; any element:
//     anyelement.go; memory of the function's own: ownmemory.go, that malloc returns: allocated.go
//   - C that is rewritten as other C before a region is refused: rewrite.go; the text as the user
//     wrote it: userstext.go; what of it a whole program compares: runner/programfirst.go
//   - pointers to rows: rowpointer.go; that change places: pointerswap.go, pointermoves.go; that
//     walk: walkingpointer.go, walkingtext.go, setfirst.go; that are second names of arrays:
//     secondname.go, or of memory without a name: commonmemory.go
//   - continue: guard.go; goto: forwardjump.go, with a block of its own: locallabel.go; labels:
//     label.go
//   - loops over several variables: severalvariables.go, what is left in them: severalleft.go;
//     steps that are variables: variablestep.go; ends that are found by trying: foundend.go;
//     iterators with other uses: reused.go
//   - products of sizes: sizeproduct.go; variables that hide others: shadowed.go; functions that
//     are declared nowhere: brought.go; memcpy and its like: copycall.go
//   - calls whose place a function's body takes: inserted.go; what stands for arguments:
//     insertedarguments.go, for structs: insertedstruct.go, values: insertedvalue.go, blocks:
//     insertedblock.go; their text: insertedtext.go
//   - OpenMP and other directives in the source: pragma.go (where they are), openmp.go (what is
//     refused), openmpclause.go (clauses), leftdirectives.go (when they are left out to read the
//     region); the program to compare with: Region.WithoutPragmas, the original: Region.AsWritten
//   - which statements are reductions: reduction.go; where atomic updates begin: atomic.go; how
//     long arrays are: span.go
//   - which variables are temporaries: temporary.go
//   - why so: docs/decisions/README.md, "Programs and their text"
package frontend
