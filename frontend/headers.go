package frontend

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Headers are the paths of the headers that C source files include, directly
// or not, without those of the system, in alphabetical order. The host's C
// compiler lists them.
func Headers(sources []string, options Options) ([]string, error) {
	if len(sources) == 0 {
		return nil, nil
	}
	host, err := hostConfig(options.CompilerOptions)
	if err != nil {
		return nil, fmt.Errorf("no C compiler answers on this machine; install gcc or set CC: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), syntaxTimeout)
	defer cancel()
	arguments := append([]string{"-MM", "-w"}, preprocessorArguments(options)...)
	command := exec.CommandContext(ctx, host.CC, append(arguments, sources...)...)
	command.Env = append(os.Environ(), "LC_ALL=C")
	command.WaitDelay = time.Second
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s cannot list the headers of %s: %w", host.CC, strings.Join(sources, ", "), err)
	}
	headers := slices.DeleteFunc(makeWords(string(output)), func(word string) bool {
		return strings.HasSuffix(word, ":") || slices.Contains(sources, word)
	})
	for i, header := range headers {
		headers[i] = filepath.Clean(header)
	}
	slices.Sort(headers)
	return slices.Compact(headers), nil
}

// preprocessorArguments are the options as the host's compiler takes them.
func preprocessorArguments(options Options) []string {
	arguments := slices.Clone(options.CompilerOptions)
	for _, searched := range []struct {
		option string
		paths  []string
	}{{"-iquote", options.QuotePaths}, {"-I", options.IncludePaths}, {"-isystem", options.SystemPaths}, {"-idirafter", options.LastPaths}} {
		for _, path := range searched.paths {
			arguments = append(arguments, searched.option, path)
		}
	}
	for _, define := range options.Defines {
		arguments = append(arguments, "-D"+define)
	}
	for _, name := range options.Undefines {
		arguments = append(arguments, "-U"+name)
	}
	for _, path := range options.Includes {
		arguments = append(arguments, "-include", path)
	}
	return arguments
}

// makeWords are the words of rules as make reads them: a backslash quotes a
// blank or the end of a line, and a dollar sign stands twice.
func makeWords(rules string) []string {
	const quotedBlank = "\x00"
	rules = strings.NewReplacer("\\\n", " ", `\ `, quotedBlank, `\#`, "#", "$$", "$").Replace(rules)
	words := strings.Fields(rules)
	for i, word := range words {
		words[i] = strings.ReplaceAll(word, quotedBlank, " ")
	}
	return words
}
