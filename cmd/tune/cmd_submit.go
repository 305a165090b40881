package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"polytune/benchmarks"
	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/pipeline"
)

type submitOptions struct {
	kernels    string
	scheduler  string
	nodes      int
	ranks      []int
	perNode    int
	time       time.Duration
	restarts   int
	results    string
	directives string
	print      bool
	json       bool
}

func newSubmitCommand(*globalOptions) *cobra.Command {
	o := &submitOptions{}
	c := &cobra.Command{
		Use:   "submit [FILE.c...] [--kernels LIST] [-- FLAGS OF TUNE]",
		Short: "Tune many kernels as a job array of a cluster",
		Long: `Write and submit a Slurm job array that tunes one kernel per task, each on a node
of its own. Every task keeps its database on the node's own disk and publishes
copies in the folder of --results, from which it goes on when it is requeued or
submitted again; tune merge puts them together.

What stands behind -- goes to every tune. Without a budget, a task stops in time
before its job ends; then it is requeued, --restarts times at most, as it is
where a budget ends before all was done.

With --ranks, each task has several nodes, on which srun starts the variants
(mpi.launch; TUNE_MPI_LAUNCH in the job changes it, for srun --mpi=pmix and others).

There are scripts for PBS and LSF too (--scheduler, --print): hand them to qsub or
bsub yourself.` + exitStatusHelp(),
		Example: "  tune submit --kernels polybench --nodes 8 --time 8h -- --size large --effort full\n" +
			"  tune submit kernel.c --time 2h --directives \"--partition=long --account=hpc\" -- --param N=4000\n" +
			"  tune submit --kernels 2mm,3mm --time 1h --print",
		RunE: func(c *cobra.Command, args []string) error {
			files, flags := args, []string(nil)
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				files, flags = args[:dash], args[dash:]
			}
			return runSubmit(c.Context(), c.OutOrStdout(), o, files, flags)
		},
	}
	c.Flags().StringVar(&o.kernels, "kernels", "", "benchmarks and suites, with commas between them, such as `2mm,sc10`; see tune list")
	c.Flags().StringVar(&o.scheduler, "scheduler", "slurm", "the batch `system`: "+strings.Join(configs.Schedulers, ", "))
	c.Flags().IntVar(&o.nodes, "nodes", 1, "tasks that run at the same time at most, each on one `node`")
	c.Flags().Var(numbersFlag{&o.ranks}, "ranks", "the `numbers` of ranks, such as 1,2,4: each task has several nodes, and tunes with --target mpi")
	c.Flags().IntVar(&o.perNode, "ranks-per-node", 1, "with --ranks, the `number` of ranks that a node has")
	c.Flags().DurationVar(&o.time, "time", 4*time.Hour, "the `limit` of each task, such as 8h")
	c.Flags().IntVar(&o.restarts, "restarts", 10, "how often an interrupted task is requeued")
	c.Flags().StringVar(&o.results, "results", "tune-results", "the `folder` for databases and logs, which all nodes see")
	c.Flags().StringVar(&o.directives, "directives", "", "further `OPTIONS` for the batch system, such as \"--partition=long --account=hpc\"")
	c.Flags().BoolVar(&o.print, "print", false, "print the job script and submit nothing")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// submitReport is the JSON document of tune submit.
type submitReport struct {
	// Job is the batch system's number of the job; "" with --print.
	Job     string   `json:"job"`
	Results string   `json:"results"`
	Tasks   []string `json:"tasks"`
	Script  string   `json:"script"`
}

func runSubmit(ctx context.Context, w io.Writer, o *submitOptions, files, flags []string) error {
	batch, err := o.batch(files, flags)
	if err != nil {
		return err
	}
	script, err := batch.Script()
	if err != nil {
		return usage.Mistake(err)
	}
	done := submitReport{Results: batch.Results, Script: script}
	for _, task := range batch.Tasks {
		done.Tasks = append(done.Tasks, task.Name)
	}
	switch {
	case o.print && o.json:
		return jsondoc.Write(w, done)
	case o.print:
		_, err := io.WriteString(w, script)
		return err
	}
	if done.Job, err = o.submit(ctx, batch.Results, script); err != nil {
		return err
	}
	if o.json {
		return jsondoc.Write(w, done)
	}
	_, err = fmt.Fprintf(w, "job %s, kernels: %d, nodes at the same time: %d; squeue -j %s shows it\nwhen it has ended: tune merge all.db %s/*.db\n",
		done.Job, len(done.Tasks), min(o.nodes, len(done.Tasks)), done.Job, batch.Results)
	return err
}

// batch is the job array that the flags ask for.
func (o *submitOptions) batch(files, flags []string) (configs.Batch, error) {
	switch {
	case o.nodes < 1:
		return configs.Batch{}, usage.Mistake(fmt.Errorf("--nodes is a number above zero, not %d", o.nodes))
	case o.perNode < 1:
		return configs.Batch{}, usage.Mistake(fmt.Errorf("--ranks-per-node is a number above zero, not %d", o.perNode))
	case o.time < 10*time.Minute:
		return configs.Batch{}, usage.Mistake(fmt.Errorf("--time is 10m at least, not %v: a task needs some minutes to stop in time", o.time))
	case o.restarts < 0:
		return configs.Batch{}, usage.Mistake(fmt.Errorf("--restarts is no negative number, such as %d", o.restarts))
	}
	if err := checkTuneFlags(flags); err != nil {
		return configs.Batch{}, err
	}
	tasks, err := o.tasks(files)
	if err != nil {
		return configs.Batch{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return configs.Batch{}, fmt.Errorf("the path of this program: %w", err)
	}
	results, err := filepath.Abs(o.results)
	if err != nil {
		return configs.Batch{}, fmt.Errorf("--results: %w", err)
	}
	ranks := 0
	if len(o.ranks) > 0 {
		ranks = slices.Max(o.ranks)
		flags = slices.Concat([]string{"--target", "mpi", "--ranks", numbersFlag{&o.ranks}.String()}, flags)
	}
	return configs.Batch{
		Ranks: ranks, RanksPerNode: o.perNode,
		Scheduler: o.scheduler, Tasks: tasks, Tune: program, Results: results, Arguments: flags,
		Nodes: o.nodes, Time: o.time, Restarts: o.restarts, Directives: o.directives,
	}, nil
}

// taskFlags are the flags of tune that a task sets itself.
var taskFlags = []string{"bench", "db", "publish"}

// checkTuneFlags refuses words that tune would refuse in every task.
func checkTuneFlags(words []string) error {
	c := newTuneCommand(&globalOptions{})
	c.Flags().String("config", "", "")
	if err := c.ParseFlags(words); err != nil {
		return usage.Mistake(fmt.Errorf("behind --: %w; see tune --help", err))
	}
	if rest := c.Flags().Args(); len(rest) > 0 {
		return usage.Mistake(fmt.Errorf("behind -- stand flags of tune, not %s; files and --kernels stand in front of it", rest[0]))
	}
	for _, name := range taskFlags {
		if c.Flags().Changed(name) {
			return usage.Mistake(fmt.Errorf("behind --: every task has a --%s of its own", name))
		}
	}
	return nil
}

// tasks are the benchmarks and files, each once.
func (o *submitOptions) tasks(files []string) (tasks []configs.BatchTask, err error) {
	if o.kernels != "" {
		selected, err := benchmarks.Select(o.kernels)
		if err != nil {
			return nil, usage.Mistake(err)
		}
		for _, b := range selected {
			tasks = append(tasks, configs.BatchTask{Name: strings.ReplaceAll(b.Name, "/", "-"), Target: []string{"--bench", b.Name}})
		}
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot tune %s: %w", file, err)
		}
		task := configs.BatchTask{Name: pipeline.KernelName(path), Target: []string{path}}
		if slices.ContainsFunc(tasks, func(other configs.BatchTask) bool { return other.Name == task.Name }) {
			return nil, usage.Mistake(fmt.Errorf("two kernels are named %s, and their databases would be one file; submit them one after the other with folders of their own (--results)", task.Name))
		}
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		return nil, usage.Mistake(errors.New("name C files, or benchmarks with --kernels; see tune submit --help"))
	}
	return tasks, nil
}

// submit keeps the script beside the results and hands it to Slurm; it gives the
// job's number.
func (o *submitOptions) submit(ctx context.Context, results, script string) (job string, err error) {
	if o.scheduler != "slurm" {
		return "", usage.Mistake(fmt.Errorf("tune submits to Slurm alone; with --print it prints the script, which you hand to %s", map[string]string{"pbs": "qsub", "lsf": "bsub"}[o.scheduler]))
	}
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return "", errors.New("there is no sbatch on PATH: run this on a login node of a cluster with Slurm, or print the script with --print")
	}
	if err := os.MkdirAll(results, 0o755); err != nil {
		return "", fmt.Errorf("the folder of --results: %w", err)
	}
	path := filepath.Join(results, "submit.sh")
	if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
		return "", fmt.Errorf("the job script: %w", err)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, sbatch, "--parsable", path)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("sbatch %s: %w: %s", path, err, strings.TrimSpace(stderr.String()))
	}
	if job, _, _ = strings.Cut(strings.TrimSpace(stdout.String()), ";"); job == "" {
		return "", fmt.Errorf("sbatch %s names no job, so that squeue has to tell whether it took it: %s", path, strings.TrimSpace(stderr.String()))
	}
	return job, nil
}
