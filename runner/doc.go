// Package runner is this machine: what it is (Machine), which compilers it has
// (Toolchain), building programs (Builder), executing them under limits
// (Execute), timing them (Time) and comparing what they compute (Compare,
// CompareFingerprints). It ranks nothing and stores nothing.
//
// What is built and run is a Subject. Its Harness makes programs of variants and
// gets their results. A function is called by a generated C driver
// (GenerateDriver), which allocates its arrays between guard bytes, fills them
// reproducibly, calls it, and writes its data or its times to a file. A whole
// program (NewProgram) runs as it is, with one region watched.
package runner
