package reuse

import _ "embed"

// libraryName includes the definitions that come with the program, which are in libraryPath.
const (
	libraryName = "std"
	libraryPath = "std"
)

//go:embed std.recipe
var library string
