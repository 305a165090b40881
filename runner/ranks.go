package runner

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Ranks say how a program is started on several ranks.
type Ranks struct {
	// Launch are the words in front of the program's own, in which {ranks} stands for the number.
	Launch []string
	Number int
	// Late is a seed by which calls of MPI come late, 0 for never.
	Late int
}

//go:embed ranks.c.tmpl
var ranksText string

// OnRanks is a Driver whose variants run on several ranks. The original runs on one.
type OnRanks struct {
	Driver
	// Marker is in the text of programs that send messages, and in no other one.
	Marker string
}

// Attach is Driver.Attach with what ranks need besides.
func (d OnRanks) Attach(source string) (string, error) {
	text, err := d.Driver.Attach(source)
	if strings.Contains(source, d.Marker) {
		text += ranksText
	}
	return text, err
}

// DumpOnRanks runs a program on ranks and gives the paths of what each of them has dumped, beginning
// with path. A program that sends no messages runs once: all ranks do the same.
func DumpOnRanks(ctx context.Context, binary Binary, request RunRequest, ranks Ranks, path string) ([]string, error) {
	harness, is := binary.harness.(OnRanks)
	if !is {
		return nil, errors.New("the program is not made for ranks")
	}
	text, err := os.ReadFile(binary.Source)
	if err != nil {
		return nil, fmt.Errorf("cannot read the program's source: %w", err)
	}
	if !strings.Contains(string(text), harness.Marker) {
		return []string{path}, Dump(ctx, binary, request, path)
	}
	command := ranks.command(binary, request, path)
	outcome, err := Execute(ctx, command)
	if err != nil {
		return nil, fmt.Errorf("%w; set mpi.launch to what starts programs on %d ranks, such as \"mpirun -n {ranks}\" or \"srun -n {ranks}\"", err, ranks.Number)
	}
	if failure := runFailure(outcome, request.Limit); failure != nil {
		return nil, ranks.explain(failure)
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

// command starts a program's driver.
func (r Ranks) command(binary Binary, request RunRequest, path string) Command {
	for _, word := range r.Launch {
		request.under = append(request.under, strings.ReplaceAll(word, "{ranks}", strconv.Itoa(r.Number)))
	}
	argv := append(request.argv(binary.Path, "dump", path), request.assignments()...)
	environment := slices.Concat(os.Environ(), request.environment(binary.runtime, binary.environment), []string{"TUNE_RANKS_LATE=" + strconv.Itoa(r.Late)})
	return Command{Argv: argv, Dir: filepath.Dir(binary.Path), Env: environment, Limit: request.Limit, Grace: 3 * time.Second}
}

// explain says what to do about a launcher that starts nothing.
func (r Ranks) explain(failure *RunError) error {
	said := string(failure.Stderr)
	switch {
	case strings.Contains(said, "run as root"):
		failure.Kind = Invalid
		failure.Detail = "Open MPI starts nothing for root: set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or mpi.launch to \"mpirun --allow-run-as-root -n {ranks}\""
	case strings.Contains(said, "not enough slots"):
		failure.Kind = Invalid
		failure.Detail = fmt.Sprintf("there are fewer slots than %d ranks: set mpi.launch to \"mpirun --oversubscribe -n {ranks}\", or ask for fewer --ranks", r.Number)
	}
	return failure
}
