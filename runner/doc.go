// Package runner is this machine: what it is (Machine), which compilers it has
// (Toolchain), building programs (Builder), executing them under limits
// (Execute), timing them (Time) and comparing what they compute (Compare,
// CompareFingerprints). It ranks nothing and stores nothing.
//
// A function under test is called by a generated C driver (GenerateDriver),
// which allocates its arrays between guard bytes, fills them reproducibly,
// calls it, and writes its data or its times to a file.
package runner
