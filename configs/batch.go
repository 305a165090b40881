package configs

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed batch/*.tmpl
var batchTemplates embed.FS

// Batch is a job array of a cluster's batch system: one task for each thing to
// tune, each on a node of its own.
type Batch struct {
	// Scheduler is one of Schedulers.
	Scheduler string
	Tasks     []BatchTask
	// Tune is the path of the program, Results that of the folder for databases
	// and logs; all nodes see both.
	Tune, Results string
	// Arguments are further words for every run of the program.
	Arguments []string
	// Nodes is how many tasks run at the same time at most.
	Nodes int
	// Ranks is the largest number of ranks that a task starts, and RanksPerNode how many of them a node
	// has; 0 for tasks without, which have one node.
	Ranks, RanksPerNode int
	// Time is the limit of each task; whole minutes count.
	Time time.Duration
	// Restarts is how often a task that was interrupted goes on by itself, where
	// the batch system leaves that to the script.
	Restarts int
	// Directives are further options for the batch system, in one line, such as
	// "--partition=long --account=hpc".
	Directives string
}

// BatchTask is one task of a Batch.
type BatchTask struct {
	// Name names the task's database; Target are the words that say what to tune.
	Name   string
	Target []string
}

// Schedulers are the batch systems that there are scripts for.
var Schedulers = []string{"slurm", "pbs", "lsf"}

// Script is the job script. Its errors are those of values that cannot be
// written into one.
func (b Batch) Script() (string, error) {
	if !slices.Contains(Schedulers, b.Scheduler) {
		return "", fmt.Errorf("no batch system %q; there are scripts for %s", b.Scheduler, strings.Join(Schedulers, ", "))
	}
	if b.Ranks > 0 && b.Scheduler != ranksScheduler {
		return "", fmt.Errorf("jobs of several nodes for ranks are written for %s, not for %s: write mpi.launch for the site's launcher, and the job by hand", ranksScheduler, b.Scheduler)
	}
	if strings.ContainsAny(b.Directives, "\n\r") {
		return "", fmt.Errorf("%q has a line break, which a directive of a job script cannot hold", b.Directives)
	}
	if strings.ContainsAny(b.Results, " \t\n\r%'\"\\") {
		return "", fmt.Errorf("the folder %q cannot be written into a job script; choose one whose path has no blank, %%, quotation mark or backslash", b.Results)
	}
	functions := template.FuncMap{
		"quote": shellQuote, "words": shellWords, "slurmTime": slurmTime, "clockTime": clockTime, "hoursMinutes": hoursMinutes,
	}
	scripts, err := template.New("").Funcs(functions).ParseFS(batchTemplates, "batch/*.tmpl")
	if err != nil {
		return "", fmt.Errorf("the built-in job scripts: %w", err)
	}
	var text strings.Builder
	if err := scripts.ExecuteTemplate(&text, b.Scheduler+".sh.tmpl", b); err != nil {
		return "", fmt.Errorf("the job script: %w", err)
	}
	return text.String(), nil
}

// ranksScheduler is the batch system whose jobs start programs on ranks.
const ranksScheduler = "slurm"

// NodesEach is the number of nodes of each task.
func (b Batch) NodesEach() int {
	if b.Ranks == 0 {
		return 1
	}
	each := max(b.RanksPerNode, 1)
	return (b.Ranks + each - 1) / each
}

// Processes is the number of processes that a task may start at a time with the scheduler's launcher.
func (b Batch) Processes() int { return max(b.Ranks, 1) }

// Count is the number of tasks.
func (b Batch) Count() int { return len(b.Tasks) }

// Last is the index of the last task, counted from 0.
func (b Batch) Last() int { return len(b.Tasks) - 1 }

// shellQuote is a text as one word of a shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// shellWords are texts as words of a shell.
func shellWords(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = shellQuote(text)
	}
	return strings.Join(quoted, " ")
}

// slurmTime writes a time as DAYS-HOURS:MINUTES:SECONDS.
func slurmTime(d time.Duration) string {
	minutes := int(d.Minutes())
	return fmt.Sprintf("%d-%02d:%02d:00", minutes/(24*60), minutes/60%24, minutes%60)
}

// clockTime writes a time as HOURS:MINUTES:SECONDS.
func clockTime(d time.Duration) string { return hoursMinutes(d) + ":00" }

// hoursMinutes writes a time as HOURS:MINUTES.
func hoursMinutes(d time.Duration) string {
	minutes := int(d.Minutes())
	return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
}
