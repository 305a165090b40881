package frontend

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/internal/remember"
)

// syntaxTimeout bounds the host compiler's look at a file, by the clock: a busy machine can make it
// very late.
const syntaxTimeout = 50 * time.Second

// hostErrors asks the host's C compiler whether the file is C at all. Its
// messages are those the user knows. It is asked behind our own front end, which bounds what
// macros expand to: the compiler would take all memory for it.
func hostErrors(compiler string, t *text, options Options) error {
	ctx, cancel := context.WithTimeout(context.Background(), syntaxTimeout)
	defer cancel()
	arguments := []string{"-fsyntax-only", "-w", "-fmax-errors=" + strconv.Itoa(maxCompilerErrors), "-iquote", filepath.Dir(t.name)}
	arguments = append(arguments, preprocessorArguments(options)...)
	command := exec.CommandContext(ctx, compiler, append(arguments, "-x", "c", "-")...)
	command.Env = append(os.Environ(), "LC_ALL=C")
	source := withoutLineDirectives(t)
	memory := syntaxMemory(compiler, string(source), arguments, options)
	if _, isC := memory.Recall(); isC {
		return nil
	}
	command.Stdin = bytes.NewReader(source)
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if err == nil {
		memory.Keep(nil)
		return nil
	}
	if ctx.Err() != nil {
		return tooSlow(t.name, syntaxTimeout)
	}
	var list ErrorList
	known := false
	for _, line := range strings.Split(string(output), "\n") {
		m := compilerMessage.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		message, isError := strings.CutPrefix(strings.TrimPrefix(m[4], "fatal "), "error: ")
		if isBrought := isUndeclaredKnown(message); !isError || isBrought {
			known = known || isBrought
			continue
		}
		e := &Error{Construct: "C source", Message: message, Advice: compileAdvice(t.name)}
		e.File = strings.Replace(m[1], "<stdin>", t.name, 1)
		e.Line, _ = strconv.Atoi(m[2])
		e.Column, _ = strconv.Atoi(m[3])
		list = append(list, e)
	}
	if len(list) == 0 && known {
		return nil
	}
	if len(list) == 0 {
		return ErrorList{{Position: Position{File: t.name}, Construct: "C source",
			Message: "the C compiler refuses the file: " + firstLine(string(output)), Advice: compileAdvice(t.name)}}
	}
	return list.asError()
}

// syntaxMemory is where is kept that the host's compiler takes a text for C. It is "" where files
// other than headers of the system may decide that.
func syntaxMemory(compiler, source string, arguments []string, options Options) remember.File {
	folders := len(options.IncludePaths) + len(options.SystemPaths) + len(options.LastPaths)
	isPlain := !slices.ContainsFunc(options.CompilerOptions, func(option string) bool { return !remember.IsPlain(option) })
	if folders+len(options.Includes) > 0 || !isPlain || hostMemory(options.CompilerOptions) == "" || !remember.IsWhole(source) {
		return ""
	}
	return remember.Of(compiler, "syntax", "", source, strings.Join(arguments, "\x00"))
}
