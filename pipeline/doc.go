// Package pipeline leads from a C file or a built-in benchmark to programs that can be
// transformed: it knows no command line. Options say what is meant and what is done to a program
// before schedules of it are sought; a Target is one region of it. The folders below make
// something of targets: variant transforms them, choices has the variants that a session may
// try, harness builds and calls them, remedy says what keeps them in order.
package pipeline
