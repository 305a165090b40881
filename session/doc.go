// Package session runs calls of tune: it asks the tuner for each region of a file, shares the time
// among them, and prints what came out. It times known variants again, and replays recorded
// searches.
//
// # Where to find what
//
//   - what is done for each region: tunerun.go; how far a search goes: effort.go
//   - when a budget ends, and how regions share it: shares.go, tuner/deadline.go
//   - a session in a job of a cluster: batchjob.go, cmd/tune/cmd_submit.go, configs/batch.go
//   - what tune again times: cmd/tune/cmd_again.go, store/leading.go (which variants),
//     tuner/request.go (Replay); a program as a whole: session/wholeprogram.go; who says that a
//     machine was busy: tuner/busy.go
//   - compilers and ranks as axes: toolchains.go; variants of other machines: transfer.go;
//     databases that are published: publish.go
//   - why so: docs/decisions/0097-transfer.md
package session
