package algorithm

import "embed"

// Source is the text of this package, for programs that are built where it is not.
//
//go:embed *.go
var Source embed.FS
