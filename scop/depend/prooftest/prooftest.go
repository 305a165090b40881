// Package prooftest has the tests of package depend that make their schedules by recipes. They are
// no external tests there since all packages between the two would be compiled once more for them.
package prooftest
