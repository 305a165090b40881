package scan

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"polytune/internal/shellwords"
)

// byGprof tells time apart by gprof, where the program was built for it, with -pg: by functions.
func (r *profiledRun) byGprof(ctx context.Context) (*Profile, error) {
	gprof, err := exec.LookPath("gprof")
	if err != nil {
		return nil, unusable("gprof is not installed")
	}
	words, err := shellwords.Split(r.Run)
	if err != nil || len(words) == 0 {
		return nil, unusable("gprof needs a program's name in front of the command")
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil, unusable("gprof needs a program's name in front of the command, and %s is none", words[0])
	}
	said, err := exec.CommandContext(ctx, "nm", program).Output()
	if err != nil || !bytes.Contains(said, []byte("mcount")) {
		return nil, unusable("%s was not built with -pg, for gprof", words[0])
	}
	if err := r.run(ctx, []string{"GMON_OUT_PREFIX=" + filepath.Join(r.folder, "gmon")}, r.shell()...); err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(r.folder, "gmon.*"))
	if err != nil || len(found) == 0 {
		return nil, unusable("%s left nothing for gprof", words[0])
	}
	flat, err := exec.CommandContext(ctx, gprof, append([]string{"-b", "-p", program}, found...)...).Output()
	if err != nil {
		return nil, unusable("gprof cannot read what %s left (%v)", words[0], err)
	}
	return flatProfile(flat), nil
}

// flatProfile reads gprof's table: lines begin with the percentage and end with the function's
// name.
func flatProfile(text []byte) *Profile {
	p := &Profile{By: "gprof", functions: map[string]float64{}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 4 {
			continue
		}
		if percent, err := strconv.ParseFloat(words[0], 64); err == nil {
			p.functions[plainName(words[len(words)-1])] += percent / 100
		}
	}
	return p
}
