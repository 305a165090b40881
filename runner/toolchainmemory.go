package runner

import (
	"encoding/json"
	"strings"

	"polytune/internal/remember"
)

// memoryOf is where is kept what a compiler that is to be examined answered before with its flags.
func memoryOf(t Toolchain) remember.File {
	if len(t.Environment) > 0 {
		return ""
	}
	return remember.Of(t.Path, "compilers", ".json", strings.Join(t.Flags, " "), strings.Join(t.CheckFlags, " "), strings.Join(t.Libraries, " "), runtimeOr(t.Runtime).Trial())
}

// recalled is the examined compiler that is kept; false where that is none.
func recalled(memory remember.File) (t Toolchain, known bool) {
	text, known := memory.Recall()
	if !known || json.Unmarshal(text, &t) != nil {
		return Toolchain{}, false
	}
	return t, t.ID != "" && t.ID == t.hash()
}

// keep keeps an examined compiler.
func (t Toolchain) keep(memory remember.File) {
	if text, err := json.Marshal(t); err == nil {
		memory.Keep(text)
	}
}
