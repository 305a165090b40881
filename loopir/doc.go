// Package loopir is the code of a region between the schedule and the text of a language: loops,
// conditions and instances of statements, as passes change and printers print them. A node says
// what happens, and to whom: which text says so is for the printer.
//
// # Where to find what
//
//   - nodes: ir.go, vector.go, program.go; for people: text.go
//   - the interpreter: interpret.go, instance.go, lanes.go, memory.go, team.go (threads, barriers,
//     sums), copied.go, kept.go; grid.go (blocks and threads of a device), resident.go (blocks that
//     wait for each other), onranks.go (ranks)
//   - the passes that change it: codegen/passes.go
package loopir
