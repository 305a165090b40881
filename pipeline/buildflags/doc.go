// Package buildflags sorts the words with which a C compiler is called by what they are for: the
// front end, the preprocessor, the compiler, the linker.
package buildflags
