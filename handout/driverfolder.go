package handout

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"polytune/internal/shellwords"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/runner"
	"polytune/target/gpu"
)

// measuredSeconds is about how long the programs of a folder compute for one time that
// they print.
const measuredSeconds = 0.1

// measuredTimes is how many times they print.
const measuredTimes = 5

// resultWord stands for the file with a program's times in what runner.ByHand says.
const resultWord = "@RESULT@"

// WriteDrivers writes the measured programs of all regions.
func (o *EmitOptions) WriteDrivers(ctx context.Context, known []Known) error {
	var folders []string
	for i, k := range known {
		if err := k.oneSize(); err != nil {
			return fmt.Errorf("%s: %w", k.Target.Name, err)
		}
		name := ""
		if len(known) > 1 {
			name = fmt.Sprintf("region%d", i+1)
			folders = append(folders, name)
		}
		if err := o.writeDriver(ctx, k, filepath.Join(o.Driver, name)); err != nil {
			return fmt.Errorf("%s: %w", k.Target.Name, err)
		}
	}
	if len(folders) == 0 {
		return nil
	}
	return writeFolder(o.Driver, map[string]string{"Makefile": fmt.Sprintf(foldersMakefile, strings.Join(folders, " "))})
}

// foldersMakefile is that of a folder with a folder for each region.
const foldersMakefile = `# Written by tune emit --driver: each folder has the measured programs of one region.
all run clean:
	@for folder in %s; do $(MAKE) -C $$folder $@ || exit 1; done
.PHONY: all run clean
`

// measured is what the files of a folder are filled with. The words are those of a shell.
type measured struct {
	Name, Note         string
	Compiler, Flags    string
	OriginalCompiler   string
	OriginalFlags      string
	Preprocessor       string
	Sources, Libraries string
	Environment        []string
	Dir                string
	// Arguments and OriginalArguments are those of the two programs.
	Arguments, OriginalArguments string
	// Kernels says that a compiler of CUDA C compiles kernels, with these words; DeviceLibraries
	// are what kernels need.
	Kernels                     bool
	KernelCompiler, KernelFlags string
	DeviceLibraries             string
}

// takeKernels fills in how kernels of a target are compiled and linked; processors have none.
func (m *measured) takeKernels(target string, cuda runner.ToolchainSpec) {
	switch target {
	case gpu.OpenCL.Name():
		m.DeviceLibraries = " -ldl"
	case gpu.CUDA.Name():
		m.Kernels, m.KernelCompiler, m.KernelFlags = true, makeWords(cuda.Command), makeWords(append(slices.Clone(cuda.Flags), "-std=c++17")...)
		m.DeviceLibraries = " -L$(CUDA_HOME)/lib64 " + makeWords(cuda.Libraries...)
	}
}

// writeDriver writes the measured programs of one region.
func (o *EmitOptions) writeDriver(ctx context.Context, k Known, folder string) error {
	b, t := k.Results[0], k.Target
	from, err := OriginOf(k.Origins[b.Trial])
	if err != nil {
		return err
	}
	var settings struct {
		Params  map[string]int     `json:"params"`
		Scalars map[string]float64 `json:"scalars"`
	}
	if err := json.Unmarshal(k.Origins[b.Trial].Settings, &settings); err != nil {
		return fmt.Errorf("the database's settings of session %s cannot be read: %w", k.Origins[b.Trial].Session, err)
	}
	options := &o.Best.Target
	if t.IsProgram && options.Program.RunText == "" {
		options.Program.TakeRun([]*pipeline.Target{t}, b.Size)
	}
	subject, err := harness.Subject(options, t)
	if err != nil {
		return err
	}
	emitted, err := Place(ctx, t, b)
	if err != nil {
		return err
	}
	note, err := k.originNote(t, b)
	if err != nil {
		return err
	}
	files := map[string]string{"driver.c": subject.Harness.Companion().Text}
	if b.On.Target == gpu.CUDA.Name() && emitted.Device != nil {
		files["kernels.cu"] = string(emitted.Device.Text)
	}
	for name, text := range map[string][]byte{"original.c": t.UsersText(), "tuned.c": emitted.Source} {
		if files[name], err = subject.Harness.Attach(string(text)); err != nil {
			return err
		}
	}
	request := runner.TimeRequest{
		RunRequest: runner.RunRequest{Params: settings.Params, Scalars: settings.Scalars, Threads: from.threads, CPUs: from.machine.TimingCPUs(from.threads),
			Device: runner.Device{Kind: runner.DeviceKind(b.On.Target), Name: b.On.Device}},
		Samples: measuredTimes, Repetitions: callsFor(b.Summary.Seconds.Median), Warmups: 1,
	}
	m := newMeasured(t, subject, from, runner.ByHand(subject.Harness, t.On.Runtime(), request, resultWord))
	request.Repetitions = callsFor(b.Summary.Seconds.Median * b.Summary.Speedup.Median)
	m.OriginalArguments = scriptWords(runner.ByHand(subject.Harness, t.On.Runtime(), request, resultWord).Arguments)
	m.Name, m.Note = t.Name, note
	m.takeKernels(b.On.Target, o.CUDA)
	for _, file := range folderTemplates.Templates() {
		var text strings.Builder
		if err := file.Execute(&text, m); err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		files[file.Name()] = text.String()
	}
	return writeFolder(folder, files)
}

// callsFor is how many calls of so many seconds one time is the mean of.
func callsFor(seconds float64) int {
	return int(min(max(math.Ceil(measuredSeconds/seconds), 1), 1e6))
}

// newMeasured fills in how programs are built and run.
func newMeasured(t *pipeline.Target, subject runner.Subject, from Origin, by runner.Invocation) measured {
	preprocessor := slices.Clone(subject.Preprocessor)
	if t.Path != "" {
		preprocessor = append(preprocessor, "-iquote", subject.SourceDir)
	}
	m := measured{
		Compiler: makeWords(from.Toolchain.Path), Flags: makeWords(slices.Concat(from.Toolchain.Flags, subject.Arguments)...),
		OriginalCompiler: "$(CC)", OriginalFlags: "$(CFLAGS)",
		Preprocessor: makeWords(preprocessor...), Sources: makeWords(absolutePaths(subject.Sources)...),
		Libraries: makeWords(slices.Concat(absolutePaths(subject.Objects), from.Toolchain.Libraries)...),
		Dir:       by.Dir, Arguments: scriptWords(by.Arguments),
	}
	if from.baseline.ID != from.Toolchain.ID {
		m.OriginalCompiler = makeWords(from.baseline.Path)
		m.OriginalFlags = makeWords(slices.Concat(from.baseline.Flags, subject.Arguments)...)
	}
	if m.Dir != "" {
		m.Dir = shellwords.Quoted(m.Dir)
	}
	for _, entry := range slices.Concat(from.environment, by.Environment) {
		name, value, _ := strings.Cut(entry, "=")
		if line := name + "=" + scriptWords([]string{value}); !slices.Contains(m.Environment, line) {
			m.Environment = append(m.Environment, line)
		}
	}
	return m
}

// absolutePaths are words with those that name files as absolute paths.
func absolutePaths(words []string) []string {
	list := slices.Clone(words)
	for i, word := range list {
		if _, err := os.Stat(word); err == nil {
			if path, err := filepath.Abs(word); err == nil {
				list[i] = path
			}
		}
	}
	return list
}

// makeWords are words for a shell that make starts.
func makeWords(words ...string) string {
	return strings.NewReplacer("$", "$$", "#", `\#`).Replace(shellwords.Line(words))
}

// scriptWords are words of a shell script; the file with the times is a variable.
func scriptWords(words []string) string {
	return strings.ReplaceAll(shellwords.Line(words), shellwords.Quoted(resultWord), `"$result"`)
}

// writeFolder writes files into a folder, which is made where there is none. Files that it
// has not written before stay as they are.
func writeFolder(folder string, files map[string]string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("--driver: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, mode := filepath.Join(folder, name), fs.FileMode(0o666)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o777
		}
		old, err := os.ReadFile(path)
		if err == nil && name == "Makefile" && !strings.HasPrefix(string(old), folderMark) {
			return fmt.Errorf("--driver: %s is no file of tune emit; name another folder", path)
		}
		if err := os.WriteFile(path, []byte(files[name]), mode); err != nil {
			return fmt.Errorf("--driver: %w", err)
		}
	}
	return nil
}

// folderMark begins the Makefiles that tune emit writes.
const folderMark = "# Written by tune emit --driver"

// folderTemplates are the files of a folder beside the sources.
var folderTemplates = func() *template.Template {
	t := template.New("folder")
	for name, text := range map[string]string{"Makefile": makefileText, "run.sh": scriptText, "README": readmeText} {
		template.Must(t.New(name).Parse(text))
	}
	return t
}()

const makefileText = folderMark + `: the programs that were timed.
# make builds them, and make run prints the seconds that they take.
CC = {{.Compiler}}
CFLAGS = {{.Flags}}
ORIGINAL_CC = {{.OriginalCompiler}}
ORIGINAL_CFLAGS = {{.OriginalFlags}}
CPPFLAGS = {{.Preprocessor}}
SOURCES = {{.Sources}}
LDLIBS = {{.Libraries}}
{{- if .Kernels}}
NVCC = {{.KernelCompiler}}
NVCCFLAGS = {{.KernelFlags}}
CUDA_HOME ?= /usr/local/cuda
{{- end}}

all: original tuned

original: original.c driver.o $(SOURCES)
	$(ORIGINAL_CC) $(ORIGINAL_CFLAGS) -g $(CPPFLAGS) -o $@ original.c driver.o $(SOURCES) $(LDLIBS)

tuned: tuned.c driver.o{{if .Kernels}} kernels.o{{end}} $(SOURCES)
	$(CC) $(CFLAGS) -g $(CPPFLAGS) -o $@ tuned.c driver.o{{if .Kernels}} kernels.o{{end}} $(SOURCES) $(LDLIBS){{.DeviceLibraries}}
{{- if .Kernels}}

kernels.o: kernels.cu
	$(NVCC) $(NVCCFLAGS) -c -o $@ kernels.cu
{{- end}}

driver.o: driver.c
	$(CC) $(CFLAGS) -g -std=gnu11 -c -o $@ driver.c

run: all
	@for program in original tuned; do \
	  ./run.sh $$program && sed -n "s/.*\"seconds\":\[\([^]]*\)\].*/$$program: \1 seconds/p" $$program.json || exit 1; \
	done

clean:
	rm -f original tuned driver.o{{if .Kernels}} kernels.o{{end}} original.json tuned.json

.PHONY: all run clean
`

const scriptText = `#!/bin/sh
# Runs a program of this folder as tune has timed it: ./run.sh original, ./run.sh tuned.
# The times are in original.json or tuned.json, behind "seconds".
here=$(cd "$(dirname "$0")" && pwd) || exit 1
case $1 in
original | tuned) result=$here/$1.json && : > "$result" || exit 1 ;;
*) echo "usage: $0 original | tuned" >&2 && exit 2 ;;
esac
{{- range .Environment}}
export {{.}}
{{- end}}
{{- if .Dir}}
cd {{.Dir}} || exit 1
{{- end}}
case $1 in
original) exec "$here/original" {{.OriginalArguments}} ;;
tuned) exec "$here/tuned" {{.Arguments}} ;;
esac
`

const readmeText = `The measured programs of {{.Name}}.

{{.Note}}

original.c and tuned.c are the file as it is and with the variant in place, and driver.c is
what times them. What lies in other folders is found there.

    make                                        builds original and tuned
    make run                                    prints the seconds that each takes
    perf stat ./run.sh tuned                    counts events
    perf record ./run.sh tuned                  samples; perf annotate shows the loops
    hyperfine './run.sh original' './run.sh tuned'
    vtune -collect hotspots -- ./run.sh tuned

perf, hyperfine and VTune see the whole process, with what gives the data their values.
The times that the programs print are those of the region alone.
`
