package frontend

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/remember"
)

// hostAnswers are what the host's compiler answers with some options.
type hostAnswers struct {
	CC, Predefined                                                       string
	HostIncludePaths, HostSysIncludePaths, IncludePaths, SysIncludePaths []string
}

// rememberedConfig is the host's compiler with its macros and paths, which are kept for a day: two of its starts take longer than all
// that most commands do. What cc knows of the options besides is not kept, and has them asked again.
func rememberedConfig(compilerOptions []string) (*cc.Config, error) {
	compiler, _ := exec.LookPath(cmp.Or(os.Getenv("CC"), "cc"))
	memory := remember.Of(compiler, "macros", ".json", compilerOptions...)
	var known hostAnswers
	if text, is := memory.Recall(); is && json.Unmarshal(text, &known) == nil && known.Predefined != "" {
		abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH)
		return &cc.Config{ABI: abi, CC: known.CC, Predefined: known.Predefined, HostIncludePaths: known.HostIncludePaths,
			HostSysIncludePaths: known.HostSysIncludePaths, IncludePaths: known.IncludePaths, SysIncludePaths: known.SysIncludePaths}, err
	}
	asked, err := cc.NewConfig(runtime.GOOS, runtime.GOARCH, compilerOptions...)
	if err == nil && hasUsualKeywords(asked, compilerOptions) {
		text, _ := json.Marshal(hostAnswers{asked.CC, asked.Predefined, asked.HostIncludePaths, asked.HostSysIncludePaths, asked.IncludePaths, asked.SysIncludePaths})
		memory.Keep(text)
	}
	return asked, err
}

// hasUsualKeywords says whether a configuration is one of this machine's usual types and of cc's usual keywords, so that its public fields are all of it.
func hasUsualKeywords(asked *cc.Config, compilerOptions []string) bool {
	keywords := reflect.ValueOf(asked).Elem().FieldByName("keywords")
	abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH)
	return err == nil && keywords.IsValid() && keywords.IsNil() && reflect.DeepEqual(asked.ABI, abi) &&
		!strings.Contains(strings.Join(compilerOptions, " "), "-mlong-double")
}
