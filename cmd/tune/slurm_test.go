package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slurm is a cluster of one node on this machine, for a test.
type slurm struct {
	folder string
	// environment makes the commands of Slurm talk to it.
	environment []string
}

// slurmPrograms are what a cluster needs, by Debian's packages slurm-wlm and munge.
var slurmPrograms = []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"}

const slurmConfiguration = `ClusterName=polytune
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.socket,cred_expire=5
CryptoType=crypto/munge
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
MinJobAge=300
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[5]d State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
`

// startSlurm starts a cluster, or skips the test where that cannot be.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("Slurm is not tested: its daemons are started by root alone")
	}
	for _, program := range slurmPrograms {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("Slurm is not tested: there is no %s (Debian: apt install slurm-wlm munge)", program)
		}
	}
	// Sockets have short paths.
	folder, err := os.MkdirTemp("/tmp", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	s := &slurm{folder: folder, environment: append(os.Environ(), "SLURM_CONF="+folder+"/slurm.conf")}
	configuration := fmt.Sprintf(slurmConfiguration, host, folder, freePort(t), freePort(t), 2)
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(t, "slurm.conf", configuration, 0o644)
	s.write(t, "cgroup.conf", "CgroupPlugin=autodetect\nIgnoreSystemd=yes\n", 0o644)
	s.write(t, "munge.key", strings.Repeat("polytune", 16), 0o400)
	t.Cleanup(func() {
		if t.Failed() {
			s.showLogs(t)
		}
		os.RemoveAll(folder)
	})
	s.daemon(t, "munged", "--foreground", "--force", "--key-file="+folder+"/munge.key", "--socket="+folder+"/munge.socket",
		"--pid-file="+folder+"/munge.pid", "--log-file="+folder+"/munge.log", "--seed-file="+folder+"/munge.seed")
	if !await(func() bool { _, err := os.Stat(folder + "/munge.socket"); return err == nil }) {
		t.Skip("Slurm is not tested: munged does not start here")
	}
	s.daemon(t, "slurmctld", "-D")
	s.daemon(t, "slurmd", "-D")
	if !await(func() bool {
		out, err := s.output("sinfo", "-h", "-o", "%T")
		return err == nil && strings.TrimSpace(out) == "idle"
	}) {
		s.showLogs(t)
		t.Skip("Slurm is not tested: its daemons do not start here")
	}
	return s
}

func (s *slurm) write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// daemon runs a program until the end of the test.
func (s *slurm) daemon(t *testing.T, words ...string) {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Env = s.environment
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
}

// output is what a command of Slurm prints.
func (s *slurm) output(words ...string) (string, error) {
	c := exec.Command(words[0], words[1:]...)
	c.Env = s.environment
	text, err := c.CombinedOutput()
	return string(text), err
}

func (s *slurm) showLogs(t *testing.T) {
	t.Helper()
	for _, name := range []string{"slurmctld.log", "slurmd.log", "munge.log"} {
		text, _ := os.ReadFile(filepath.Join(s.folder, name))
		t.Logf("%s:\n%s", name, text[max(0, len(text)-3000):])
	}
}

// freePort is a port that nobody listened at a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// betweenQueues is the time between two looks at the queue, each of which starts a process.
const betweenQueues = 100 * time.Millisecond

// TestSlurm has a real Slurm tune two kernels: one task is told to stop, is
// requeued, and goes on from what it has published; both results are merged.
func TestSlurm(t *testing.T) {
	t.Parallel()
	cluster := startSlurm(t)
	folder := t.TempDir()
	tune := func(args ...string) string {
		t.Helper()
		c, stdout, stderr := tuneCommand(folder, args...)
		c.Env = append(c.Env, "SLURM_CONF="+cluster.folder+"/slurm.conf")
		if err := c.Run(); err != nil {
			t.Fatalf("tune %s: %v: %s", strings.Join(args, " "), err, stderr)
		}
		return stdout.String()
	}
	tune("submit", "--kernels", "gemm,gemver", "--time", "10m", "--results", folder+"/results", "--", "--size", "mini", "--effort", "quick")
	stopped := false
	ended := awaitFor(5*time.Minute, func() bool {
		time.Sleep(betweenQueues)
		queue, err := cluster.output("squeue", "-h", "-r", "-o", "%i %T")
		if err != nil {
			t.Fatalf("squeue: %v: %s", err, queue)
		}
		if log, _ := os.ReadFile(folder + "/results/1_1.log"); !stopped && strings.Contains(string(log), "building 0/") {
			for line := range strings.Lines(queue) {
				if id, state, _ := strings.Cut(strings.TrimSpace(line), " "); state == "RUNNING" && strings.HasSuffix(id, "_1") {
					message, err := cluster.output("scancel", "--signal=USR1", "--batch", id)
					stopped = err == nil
					t.Logf("stopped %s: %v %s", id, err, message)
				}
			}
		}
		return strings.TrimSpace(queue) == ""
	})
	if logs, _ := filepath.Glob(folder + "/results/*.log"); !ended || !stopped {
		for _, path := range logs {
			text, _ := os.ReadFile(path)
			t.Logf("%s:\n%s", path, text)
		}
		t.Fatalf("the job has ended: %v; a task was stopped: %v", ended, stopped)
	}
	tune("merge", folder+"/all.db", folder+"/results/polybench-gemm.db", folder+"/results/polybench-gemver.db")
	if kernels := mustQuery(t, folder+"/all.db", `SELECT kernel FROM best ORDER BY kernel`); strings.Join(kernels, " ") != "polybench/gemm polybench/gemver" {
		t.Errorf("results of %q", kernels)
	}
	if sessions := mustQuery(t, folder+"/all.db", `SELECT count(*) FROM session`); sessions[0] != "2" {
		t.Errorf("%s sessions: the requeued task did not go on", sessions[0])
	}
	if text, err := os.ReadFile(folder + "/results/1_1.log"); err != nil || !strings.Contains(string(text), "interrupted") {
		t.Errorf("the log of the stopped task: %v\n%s", err, text)
	}
}
