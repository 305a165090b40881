// Package search proposes which points of the space of variants a tuning
// session tries next, from the times of those that it has tried.
//
// A Space offers points: a partition and the text of a setting of the other
// axes. A Strategy proposes some that look promising, and Search asks it for
// one batch after the other, until it has no more, a limit is reached, or so
// many points in a row were no better. Nothing here knows how points become
// programs, or how these are timed.
//
// What is proposed is a function of the space, the Plan and the outcomes of
// the batches before, each of them whole: the same session, interrupted and
// begun again, asks for the same points once more and finds in its database
// what became of them.
//
// The strategies, by name:
//
//	exhaustive  all points, in the order of the space
//	random      points drawn from all, each as likely as any other
//	climb       from the best points to their neighbours, and on from the better ones
//	halving     more and more tile sizes for fewer and fewer partitions
//	evolution   the best points crossed with each other and changed
//	surrogate   those first that a regression on features of the schedules finds fast
//
// Replay measures strategies on recorded times.
//
// # Where to find what
//
//   - the search: search.go; a file for each strategy: climb.go, halving.go, evolution.go,
//     surrogate.go; its regression: regression.go; what it knows of a schedule: schedule/feature/
//   - the space: pipeline/choices/searchspace.go; how far: session/effort.go; how points get into a
//     session: tuner/propose.go
//   - replayed: replay.go, cmd/tune/cmd_simulate.go
//   - why so: docs/decisions/0095-replayed-search.md, 0096-texts.md, 0099-surrogate.md
package search
