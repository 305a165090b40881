// Package editor is a language server for editors: it says in the text what the front end refuses
// of regions, what keeps loops from running in parallel, and what sessions have found.
//
// # Where to find what
//
//   - the protocol: frame.go (where messages begin and end), protocol.go (what is in them),
//     server.go (which there are, in which order); requests, answers, cancelling are jrpc2's
//   - texts that are being written: document.go; places in them: text.go
//   - messages in the text: diagnose.go; what is said where the pointer rests: hover.go; what a
//     region's loops carry: region.go, scop/depend/carried.go
//   - what can be done: action.go; what sessions have found: best.go
//   - loop nests without pragmas: scan/text.go
//   - why so: docs/decisions/0115-json-rpc.md; for users: docs/editors.md
package editor
