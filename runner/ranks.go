package runner

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/internal/pattern"
)

// Ranks say how a program is started on several ranks.
type Ranks struct {
	// Launch are the words in front of the program's own, in which {ranks} stands for the number.
	Launch []string `json:"launch"`
	Number int      `json:"number"`
	// Library is what the launcher and the compiler say of the MPI library.
	Library string `json:"library"`
	// Late is a seed by which calls of MPI come late, 0 for never.
	Late int `json:"-"`
}

//go:embed ranks.c.tmpl
var ranksText string

// OnRanks is a Driver whose variants run on several ranks. The original runs on one.
type OnRanks struct {
	Driver
	// Marker is in the text of programs that send messages, and in no other one.
	Marker string
	// OnRoot says that rank 0 alone has all results in the end.
	OnRoot bool
}

// Attach is Driver.Attach with what ranks need besides.
func (d OnRanks) Attach(source string) (string, error) {
	text, err := d.Driver.Attach(source)
	if strings.Contains(source, d.Marker) {
		text += ranksText
	}
	return text, err
}

// key is what tells results of different ranks, launchers and libraries apart; nil for no ranks.
func (r Ranks) key() []string {
	if r.Number == 0 {
		return nil
	}
	return []string{strings.Join(r.Launch, " "), strconv.Itoa(r.Number), r.Library}
}

// ranksPerProcessor is how many ranks a processor of this machine may get at most: more processes do no
// work, and thousands of them stop the machine.
const ranksPerProcessor = 16

// elsewhere are what says that a launcher starts programs on other machines, too: its words, and the
// environments of batch systems.
var (
	elsewhereWords    = []string{"-host", "--host", "-H", "-f", "-hostfile", "--hostfile", "-machinefile", "--machinefile", "srun", "aprun", "jsrun"}
	elsewhereVariable = []string{"SLURM_JOB_ID", "PBS_NODEFILE", "LSB_HOSTS"}
)

// NewRanks are so many ranks that words start.
func NewRanks(launch string, number int) (Ranks, error) {
	words := strings.Fields(launch)
	if len(words) == 0 {
		return Ranks{}, errors.New("mpi.launch is empty: set it to what starts programs on ranks, such as \"mpirun -n {ranks}\"")
	}
	if !strings.Contains(launch, "{ranks}") {
		return Ranks{}, fmt.Errorf("mpi.launch (%s) has no {ranks}, the place of their number: write \"%s -n {ranks}\"", launch, words[0])
	}
	isElsewhere := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(elsewhereWords, filepath.Base(w)) }) ||
		slices.ContainsFunc(elsewhereVariable, func(name string) bool { return os.Getenv(name) != "" })
	if most := ranksPerProcessor * runtime.NumCPU(); number > most && !isElsewhere {
		return Ranks{}, fmt.Errorf("%d ranks are more than this machine runs, which are %d: ask for fewer with --ranks, or set mpi.launch to what starts them on several machines", number, most)
	}
	return Ranks{Launch: words, Number: number}, nil
}

// OnRanks is the toolchain whose programs for ranks are started by these words on so many of them.
func (t Toolchain) OnRanks(ctx context.Context, launch string, number int) (Toolchain, error) {
	ranks, err := NewRanks(launch, number)
	if err != nil {
		return t, err
	}
	outcome, err := Execute(ctx, Command{Argv: []string{ranks.Launch[0], "--version"}, Limit: toolchainLimit, Env: t.environment("LC_ALL=C")})
	if err != nil {
		return t, fmt.Errorf("%w; %s", err, launchAdvice(number))
	}
	shown, err := t.askAnyway(ctx, "-show")
	if err != nil {
		return t, err
	}
	version, _, _ := strings.Cut(string(outcome.Stdout), "\n")
	ranks.Library = strings.TrimSpace(version + "; " + shown)
	t.Ranks, t.Name = ranks, fmt.Sprintf("%s-%d", filepath.Base(t.Name), number)
	t.ID = t.hash()
	return t, nil
}

func launchAdvice(number int) string {
	return fmt.Sprintf("set mpi.launch to what starts programs on %d ranks, such as \"mpirun -n {ranks}\" or \"srun -n {ranks}\"", number)
}

// sendsMessages says whether a program is for several ranks; others do the same on each.
func (d OnRanks) sendsMessages(binary Binary) (bool, error) {
	text, err := os.ReadFile(binary.Source)
	if err != nil {
		return false, fmt.Errorf("cannot read the program's source: %w", err)
	}
	return strings.Contains(string(text), d.Marker), nil
}

// time has ranks call the function as often as asked: a sample is the time between two barriers, which
// is that of the slowest rank. Threads and processors are those of all ranks together.
func (d OnRanks) time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error) {
	sends, err := d.sendsMessages(binary)
	if err != nil {
		return Timing{}, err
	}
	if !sends || binary.ranks.Number == 0 {
		return d.Driver.time(ctx, binary, request)
	}
	ranks := binary.ranks
	request.Threads = max(1, request.Threads/ranks.Number)
	var report timeReport
	outcome, err := runForResult(ctx, binary, request.Limit, func(result string) Command {
		return ranks.command(binary, request.RunRequest, "time", append([]string{result}, request.counts()...)...)
	}, ranks.explain, func(path string) error {
		if err := readReport(path, &report); err != nil {
			return err
		}
		return checkSamples(report.Seconds, max(request.Samples, 1))
	})
	if err != nil {
		return Timing{}, err
	}
	return Timing{Seconds: report.Seconds, Fingerprints: report.Arrays, PeakMemory: report.PeakKiB << 10, Usage: outcome.Usage, Wall: outcome.Wall}, nil
}

// dump has each rank write what it has in the end: what all have is the same.
func (d OnRanks) dump(ctx context.Context, binary Binary, request RunRequest, path string) error {
	if binary.ranks.Number == 0 {
		return d.Driver.dump(ctx, binary, request, path)
	}
	paths, err := DumpOnRanks(ctx, binary, request, binary.ranks, path)
	if len(paths) == 1 && paths[0] == path {
		return err
	}
	defer func() {
		for _, p := range paths {
			os.Remove(p)
		}
	}()
	if err != nil {
		return err
	}
	if err := d.sameOnAll(paths); err != nil {
		return err
	}
	return os.Rename(paths[0], path)
}

// sameOnAll checks that all ranks have what rank 0 has.
func (d OnRanks) sameOnAll(paths []string) error {
	if d.OnRoot {
		return nil
	}
	first, err := os.ReadFile(paths[0])
	if err != nil {
		return err
	}
	for rank, path := range paths[1:] {
		own, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(own, first) {
			return &RunError{Kind: Invalid, Detail: fmt.Sprintf("rank %d of %d has other results than rank 0", rank+1, len(paths))}
		}
	}
	return nil
}

// DumpOnRanks runs a program on ranks and gives the paths of what each of them has dumped, beginning
// with path. A program that sends no messages runs once: all ranks do the same.
func DumpOnRanks(ctx context.Context, binary Binary, request RunRequest, ranks Ranks, path string) ([]string, error) {
	harness, is := binary.harness.(OnRanks)
	if !is {
		return nil, errors.New("the program is not made for ranks")
	}
	sends, err := harness.sendsMessages(binary)
	if err != nil {
		return nil, err
	}
	if !sends {
		return []string{path}, harness.Driver.dump(ctx, binary, request, path)
	}
	request.Threads = min(request.Threads, threadsCompared)
	outcome, err := Execute(ctx, ranks.command(binary, request, "dump", path))
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, launchAdvice(ranks.Number))
	}
	if failure := runFailure(outcome, request.Limit); failure != nil {
		ranks.explain(failure, path)
		return nil, failure
	}
	paths := make([]string, ranks.Number)
	for r := range paths {
		paths[r] = fmt.Sprintf("%s.%d", path, r)
		if _, err := os.Stat(paths[r]); err != nil {
			return paths, invalid(fmt.Errorf("rank %d of %d has left no result: mpi.launch (%s) starts so many programs of one rank each, or of another MPI library than mpi.compiler's; set both to those of one library, as srun --mpi=… does", r, ranks.Number, strings.Join(ranks.Launch, " ")), outcome)
		}
	}
	return paths, nil
}

// threadsCompared is how many threads each rank has where results are compared.
const threadsCompared = 2

// words are those in front of a program's own.
func (r Ranks) words() (list []string) {
	for _, word := range r.Launch {
		list = append(list, strings.ReplaceAll(word, "{ranks}", strconv.Itoa(r.Number)))
	}
	return list
}

// Command is the beginning of a line to type that starts a program on the ranks.
func (r Ranks) Command() string { return strings.Join(r.words(), " ") }

// command starts a program's driver on the ranks, which share the processors out among themselves.
func (r Ranks) command(binary Binary, request RunRequest, mode string, words ...string) Command {
	request.under = append(request.under, r.words()...)
	cpus := request.CPUs
	request.CPUs, request.Memory = nil, 0
	request.Waiting = request.Waiting || r.Number > len(cpus)
	argv := append(request.argv(binary.Path, append([]string{mode}, words...)...), request.assignments()...)
	environment := slices.Concat(os.Environ(), request.environment(binary.runtime, binary.environment), unbound, []string{"TUNE_RANKS_LATE=" + strconv.Itoa(r.Late)})
	if len(cpus) > 0 {
		environment = append(environment, "TUNE_RANKS_CPUS="+strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]"))
	}
	if r.Number > len(cpus) {
		environment = append(environment, "OMPI_MCA_mpi_yield_when_idle=1")
	}
	return Command{Argv: argv, Dir: filepath.Dir(binary.Path), Env: environment, Limit: request.Limit, Grace: 3 * time.Second, CPUs: cpus}
}

// unbound has launchers leave processors alone: those of Open MPI and of Slurm.
var unbound = []string{"OMPI_MCA_hwloc_base_binding_policy=none", "SLURM_CPU_BIND=none"}

// explain says which rank has failed, and what to do about a launcher that starts nothing.
func (r Ranks) explain(failure *RunError, path string) {
	said := string(failure.Stderr)
	switch {
	case strings.Contains(said, "run as root"):
		failure.Kind = Invalid
		failure.Detail = "Open MPI starts nothing for root: set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or mpi.launch to \"mpirun --allow-run-as-root -n {ranks}\""
		return
	case strings.Contains(said, "not enough slots"):
		failure.Kind = Invalid
		failure.Detail = fmt.Sprintf("there are fewer slots than %d ranks: set mpi.launch to \"mpirun --oversubscribe -n {ranks}\", or ask for fewer --ranks", r.Number)
		return
	}
	driverFailure(failure, path)
	failure.Where = whichRank(said)
}

// ended and stood find what ranks say of their end.
var (
	endedRank = pattern.New(`tune: (rank \d+ of \d+ (?:ended|was ended) [a-z ]+\d+)`)
	stoodRank = pattern.New(`tune: (rank \d+ of \d+ was (?:computing|waiting)[a-z ]*)`)
)

// whichRank is what is known of the ranks of a program that has failed: those that ended by themselves,
// or else what all were doing when they were ended, those that did not wait first; "" for nothing.
func whichRank(said string) string {
	var list []string
	for _, found := range endedRank.FindAllStringSubmatch(said, -1) {
		list = append(list, found[1])
	}
	if len(list) > 0 {
		return strings.Join(list, "; ")
	}
	for _, found := range stoodRank.FindAllStringSubmatch(said, -1) {
		list = append(list, found[1])
	}
	slices.SortStableFunc(list, func(a, b string) int {
		return strings.Compare(a[strings.Index(a, " was "):], b[strings.Index(b, " was "):])
	})
	return strings.Join(list[:min(len(list), mostRanksNamed)], "; ")
}

// mostRanksNamed bounds the ranks that an error names.
const mostRanksNamed = 8
