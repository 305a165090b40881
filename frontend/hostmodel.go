package frontend

import (
	"fmt"
	"slices"
	"strconv"

	"modernc.org/cc/v4"

	"polytune/internal/pattern"
)

// searched are the folders in which names in quotation marks and names in angle
// brackets are looked for, in the order of gcc: one of -I that is also one of the
// system's counts as that.
func (o *Options) searched(host *cc.Config) (quoted, angled []string) {
	system := slices.Concat(o.SystemPaths, host.SysIncludePaths)
	own := slices.DeleteFunc(slices.Clone(o.IncludePaths), func(path string) bool { return slices.Contains(system, path) })
	quoted = slices.Concat([]string{""}, o.QuotePaths, own, o.SystemPaths, host.IncludePaths, o.LastPaths)
	return quoted, slices.Concat(own, system, o.LastPaths)
}

// sizeMacro is a line that says how many bytes a type has.
var sizeMacro = pattern.New(`(?m)^#define __SIZEOF_([A-Z_]+)__ (\d+)$`)

// sizedTypes are the types of such lines.
var sizedTypes = map[string]cc.Kind{
	"SHORT": cc.Short, "INT": cc.Int, "LONG": cc.Long, "LONG_LONG": cc.LongLong, "POINTER": cc.Ptr,
	"FLOAT": cc.Float, "DOUBLE": cc.Double, "LONG_DOUBLE": cc.LongDouble,
}

// checkDataModel refuses a compiler that, with its options, has types of other sizes
// than ours, as with -m32: what sizeof gives would be another number.
func checkDataModel(file string, host *cc.Config) error {
	for _, m := range sizeMacro.FindAllStringSubmatch(host.Predefined, -1) {
		kind, known := sizedTypes[m[1]]
		size, err := strconv.ParseInt(m[2], 10, 64)
		ours, has := host.ABI.Types[kind]
		if !known || err != nil || !has || ours.Size == size {
			continue
		}
		return ErrorList{{Position: Position{File: file}, Construct: "compiler",
			Message: fmt.Sprintf("with its options the compiler has types of other sizes than this machine's: %s of %d bytes instead of %d", m[1], size, ours.Size),
			Advice:  "leave out options such as -m32"}}
	}
	return nil
}
