package configs

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/internal/scripttest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func exampleBatch(scheduler string) Batch {
	return Batch{
		Scheduler: scheduler,
		Tasks: []BatchTask{
			{"polybench-2mm", []string{"--bench", "polybench/2mm"}},
			{"it's", []string{"/home/me/it's $HOME.c"}},
		},
		Tune: "/opt/my tools/tune", Results: "/home/me/results", Arguments: []string{"--effort", "full", "--param", "N=10"},
		Nodes: 4, Time: 26*time.Hour + 5*time.Minute, Restarts: 3, Directives: "--partition=long --account=hpc",
	}
}

// Tasks on ranks have so many nodes that all ranks have room, where srun starts what all nodes see;
// there are none for other batch systems.
func TestBatchOfRanks(t *testing.T) {
	t.Parallel()
	batch := exampleBatch("slurm")
	batch.Ranks, batch.RanksPerNode = 7, 2
	script, err := batch.Script()
	for _, line := range []string{"#SBATCH --nodes=4\n", "#SBATCH --ntasks=7\n", `TMPDIR="/home/me/results/programs-$job-$index"`, `TUNE_MPI_LAUNCH=${TUNE_MPI_LAUNCH:-srun -n {ranks\}}` + "\n"} {
		if err != nil || !strings.Contains(script, line) {
			t.Errorf("%v, no %q in\n%s", err, line, script)
		}
	}
	shell := exec.Command("bash", "-c", "unset TUNE_MPI_LAUNCH; TUNE_MPI_LAUNCH=${TUNE_MPI_LAUNCH:-srun -n {ranks\\}}; echo $TUNE_MPI_LAUNCH")
	if said, err := shell.Output(); err != nil || string(said) != "srun -n {ranks}\n" {
		t.Errorf("%v: the launcher is %s", err, said)
	}
	batch.Scheduler = "pbs"
	if _, err := batch.Script(); err == nil || !strings.Contains(err.Error(), "mpi.launch") {
		t.Errorf("PBS: %v", err)
	}
}

// TestBatchScripts compares the scripts with golden files, and has the shell
// read them.
func TestBatchScripts(t *testing.T) {
	t.Parallel()
	for _, scheduler := range Schedulers {
		script, err := exampleBatch(scheduler).Script()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", scheduler+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if script != string(want) {
			t.Errorf("%s: run go test ./configs -update and look at the difference; the script is\n%s", scheduler, script)
		}
		shell := exec.Command("bash", "-n")
		shell.Stdin = strings.NewReader(script)
		if message, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", scheduler, err, message)
		}
	}
}

// TestSlurmScriptRuns runs the script in the shell, with programs of the test
// in place of tune and scontrol: what tune is called with, that a signal to the
// shell reaches it, that a task goes on from what it has published, that its
// database goes from the node only when all of it is published, and that an interrupted one is
// put into the queue again.
func TestSlurmScriptRuns(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		scripttest.Write(t, path, text)
		return path
	}
	b := exampleBatch("slurm")
	b.Results = folder
	b.Tune = write("tune", `#!/bin/bash
printf '<%s>' "$@" >>`+folder+`/calls; echo >>`+folder+`/calls
[ "$1" = merge ] && { cp "$3" "$2"; exit 0; }
[ "$1" = export ] && { [ ! -e '`+folder+`/away' ] && cp "$3" "$4"; exit; }
echo measured >>"`+folder+`/tune-70-1.db"
trap 'exit 75' USR1
kill -USR1 "$PPID"
for k in $(seq 100); do sleep 0.1; done
exit 1
`)
	write("scontrol", "#!/bin/bash\necho \"$@\" >>"+folder+"/requeued\n")
	write("it's.db", "published\n")
	text, err := b.Script()
	if err != nil {
		t.Fatal(err)
	}
	run := func(restarts string) (status int) {
		job := exec.Command("bash", write("job.sh", text))
		job.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_JOB_ID=70",
			"SLURM_JOB_ID=72", "SLURM_TMPDIR="+folder, "SLURM_RESTART_COUNT="+restarts)
		message, err := job.CombinedOutput()
		if job.ProcessState == nil {
			t.Fatalf("%v: %s", err, message)
		}
		return job.ProcessState.ExitCode()
	}
	if status := run("2"); status != 0 {
		t.Errorf("a task that is requeued ends with %d", status)
	}
	if status := run("3"); status != 75 {
		t.Errorf("an interrupted task without restarts left ends with %d", status)
	}
	database := folder + "/tune-70-1.db"
	once := "<merge><" + database + "><" + folder + "/it's.db>\n" +
		"</home/me/it's $HOME.c><--effort><full><--param><N=10><--db><" + database + "><--publish><" + folder + "/it's.db>\n"
	compare := func(name, want string) {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\ninstead of\n%s", name, err, got, want)
		}
	}
	once += "<export><--db><" + database + "><" + folder + "/it's.db>\n"
	compare("calls", once+once)
	compare("it's.db", "published\nmeasured\nmeasured\n")
	if _, err := os.Stat(database); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the node's database is still there: %v", err)
	}
	write("away", "")
	run("3")
	compare("tune-70-1.db", "published\nmeasured\nmeasured\nmeasured\n")
	compare("requeued", "requeue 72\n")
}

func TestBatchRefuses(t *testing.T) {
	t.Parallel()
	b := exampleBatch("cron")
	if _, err := b.Script(); err == nil || !strings.Contains(err.Error(), "slurm, pbs, lsf") {
		t.Errorf("unknown batch system: %v", err)
	}
	b = exampleBatch("slurm")
	b.Directives = "--comment=a\nrm -rf"
	if _, err := b.Script(); err == nil || !strings.Contains(err.Error(), "line break") {
		t.Errorf("line break: %v", err)
	}
	b = exampleBatch("slurm")
	b.Results = "/home/my results"
	if _, err := b.Script(); err == nil || !strings.Contains(err.Error(), "no blank") {
		t.Errorf("folder: %v", err)
	}
}

func TestBatchTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		time                time.Duration
		slurm, clock, hours string
	}{
		{90 * time.Minute, "0-01:30:00", "1:30:00", "1:30"},
		{26*time.Hour + 59*time.Second, "1-02:00:00", "26:00:00", "26:00"},
	} {
		if a, b, h := slurmTime(c.time), clockTime(c.time), hoursMinutes(c.time); a != c.slurm || b != c.clock || h != c.hours {
			t.Errorf("%v: %s %s %s", c.time, a, b, h)
		}
	}
}
