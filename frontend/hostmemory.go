package frontend

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/remember"
)

// hostAnswers are what the host's compiler answers with some options.
type hostAnswers struct {
	CC, Predefined                                                       string
	HostIncludePaths, HostSysIncludePaths, IncludePaths, SysIncludePaths []string
}

// answersOf are the answers in a configuration.
func answersOf(c *cc.Config) hostAnswers {
	return hostAnswers{c.CC, c.Predefined, c.HostIncludePaths, c.HostSysIncludePaths, c.IncludePaths, c.SysIncludePaths}
}

// config is a configuration with the answers, and what cc knows of this machine.
func (a hostAnswers) config() (*cc.Config, error) {
	abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH)
	return &cc.Config{ABI: abi, CC: a.CC, Predefined: a.Predefined, HostIncludePaths: a.HostIncludePaths,
		HostSysIncludePaths: a.HostSysIncludePaths, IncludePaths: a.IncludePaths, SysIncludePaths: a.SysIncludePaths}, err
}

// hostMemory is where the answers are kept; "" where the compiler looks for headers in folders of
// the user's, which may come and go.
func hostMemory(compilerOptions []string) remember.File {
	namesFolders := slices.ContainsFunc(compilerOptions, func(option string) bool {
		return strings.Contains(option, "/") || strings.Contains(option, "sysroot") || strings.HasPrefix(option, "-B")
	})
	if namesFolders || os.Getenv("CPATH") != "" || os.Getenv("C_INCLUDE_PATH") != "" {
		return ""
	}
	compiler, _ := exec.LookPath(cmp.Or(os.Getenv("CC"), "cc"))
	return remember.Of(compiler, "macros", ".json", compilerOptions...)
}

// recalledConfig is the host's compiler with its macros and paths as they are kept for a day: two
// of its starts take longer than all that most commands do. It is nil where nothing is kept.
func recalledConfig(compilerOptions []string) *cc.Config {
	var known hostAnswers
	text, is := hostMemory(compilerOptions).Recall()
	if !is || json.Unmarshal(text, &known) != nil || known.Predefined == "" {
		return nil
	}
	config, err := known.config()
	if err != nil {
		return nil
	}
	return config
}

// askedConfig asks the host's compiler, and keeps what it answers where that is all that the
// configuration has.
func askedConfig(compilerOptions []string) (*cc.Config, error) {
	asked, err := cc.NewConfig(runtime.GOOS, runtime.GOARCH, compilerOptions...)
	if err != nil {
		return nil, err
	}
	answers := answersOf(asked)
	if rebuilt, err := answers.config(); err == nil && reflect.DeepEqual(rebuilt, asked) {
		text, _ := json.Marshal(answers)
		hostMemory(compilerOptions).Keep(text)
	}
	return asked, nil
}

// otherAnswers is the compiler's configuration where it answers otherwise now than what was kept,
// as after headers have been installed; nil where it does not.
func otherAnswers(recalled *cc.Config, compilerOptions []string) *cc.Config {
	if _, isKept := hostMemory(compilerOptions).Recall(); !isKept {
		return nil
	}
	now, err := askedConfig(compilerOptions)
	if err != nil || reflect.DeepEqual(answersOf(now), answersOf(recalled)) {
		return nil
	}
	return now
}
