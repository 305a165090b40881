package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// moduleLimit bounds the loading of environment modules, whose files often lie
// on a file system far away.
const moduleLimit = time.Minute

// moduleScript prints the environment of a login shell, loads the modules that
// are its arguments, and prints the environment again, each time behind a line
// that nothing else in the output begins with. `module` is a shell function,
// which only a login shell is sure to have.
const moduleScript = `printf '\n%s\0' "$0"; env -0; module load "$@" >&2 || exit; printf '\n%s\0' "$0"; env -0`

// moduleMark is the line.
const moduleMark = "polytune-environment"

// ignoredVariables are set by shells for themselves.
var ignoredVariables = []string{"_", "SHLVL", "PWD", "OLDPWD"}

// loadModules gives the environment entries, NAME=VALUE, that `module load`
// changes, as they have to be beside this process' own: what modules put in
// front of or behind a list such as PATH goes in front of or behind ours.
func loadModules(ctx context.Context, modules []string) ([]string, error) {
	if len(modules) == 0 {
		return nil, nil
	}
	argv := append([]string{"bash", "-l", "-c", moduleScript, moduleMark}, modules...)
	outcome, err := Execute(ctx, Command{Argv: argv, Limit: moduleLimit})
	if err != nil {
		return nil, moduleError(modules, err.Error())
	}
	parts := strings.Split(string(outcome.Stdout), "\n"+moduleMark+"\x00")
	if !outcome.OK() || len(parts) != 3 {
		return nil, moduleError(modules, excerpt(outcome.Stderr))
	}
	before, after := entries(parts[1]), entries(parts[2])
	for _, module := range modules {
		if !isLoaded(module, after["LOADEDMODULES"]) {
			return nil, moduleError(modules, module+" is not in LOADEDMODULES afterwards; "+excerpt(outcome.Stderr))
		}
	}
	return moduleChanges(entries(strings.Join(os.Environ(), "\x00")), before, after), nil
}

func moduleError(modules []string, problem string) error {
	return fmt.Errorf("a login shell (bash -l) cannot load the modules %s: %s; try `bash -lc 'module load %[1]s'`, and correct the setting toolchains.NAME.modules", strings.Join(modules, " "), problem)
}

// isLoaded says whether a module, named with or without its version, is in the
// list of those that are loaded.
func isLoaded(module, list string) bool {
	return slices.ContainsFunc(strings.Split(list, ":"), func(loaded string) bool {
		return loaded == module || strings.HasPrefix(loaded, module+"/")
	})
}

// entries are the variables in a list with zero bytes between them.
func entries(list string) map[string]string {
	variables := map[string]string{}
	for entry := range strings.SplitSeq(list, "\x00") {
		if name, value, found := strings.Cut(entry, "="); found {
			variables[name] = value
		}
	}
	return variables
}

// moduleChanges are the differences between before and after, applied to our
// own variables. A variable that is unset becomes empty.
func moduleChanges(own, before, after map[string]string) []string {
	changes := map[string]string{}
	for name, value := range after {
		if old := before[name]; value != old {
			changes[name] = replaceWithin(value, old, own[name])
		}
	}
	for name := range before {
		if _, kept := after[name]; !kept {
			changes[name] = ""
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if !slices.Contains(ignoredVariables, name) {
			list = append(list, name+"="+changes[name])
		}
	}
	return list
}

// replaceWithin puts own in the place of old in a list of paths that begins or
// ends with old; without old, it is the list itself.
func replaceWithin(list, old, own string) string {
	if old == "" || own == "" {
		return list
	}
	if front, ok := strings.CutSuffix(list, ":"+old); ok {
		return front + ":" + own
	}
	if back, ok := strings.CutPrefix(list, old+":"); ok {
		return own + ":" + back
	}
	return list
}

// variable is the value that a list of NAME=VALUE gives a name last.
func variable(environment []string, name string) (value string, set bool) {
	for _, entry := range slices.Backward(environment) {
		if value, set = strings.CutPrefix(entry, name+"="); set {
			return value, true
		}
	}
	return "", false
}
