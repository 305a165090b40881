package scan

import (
	"bufio"
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"polytune/internal/pattern"
)

// samplesPerSecond is how often perf looks: a prime, so that it keeps no step with the program.
const samplesPerSecond = "997"

// byPerf tells time apart by perf.
func (r *profiledRun) byPerf(ctx context.Context) (*Profile, error) {
	perf, err := exec.LookPath("perf")
	if err != nil {
		return nil, unusable("perf is not installed")
	}
	record := func(words ...string) []string {
		return append([]string{perf, "record", "-q", "-F", samplesPerSecond, "-o", filepath.Join(r.folder, "perf.data"), "--"}, words...)
	}
	probe := record("true")
	if said, err := exec.CommandContext(ctx, probe[0], probe[1:]...).CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return nil, unusable("perf may not look (%s)", first)
	}
	if err := r.run(ctx, nil, record(r.shell()...)...); err != nil {
		return nil, err
	}
	said, err := exec.CommandContext(ctx, perf, "script", "-i", filepath.Join(r.folder, "perf.data"), "-F", "ip,sym,symoff,dso").Output()
	if err != nil {
		return nil, unusable("perf cannot read what it has recorded (%v)", err)
	}
	return profileOf(samplesIn(said)), nil
}

// sample is a place in a program where perf has found it, and how often.
type sample struct {
	object, symbol string
	offset         uint64
}

// sampleLine is a line of perf script.
var sampleLine = pattern.New(`^\s*[0-9a-f]+ (\S.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$`)

// samplesIn counts the samples of perf script by their places; those of no known place, too.
func samplesIn(said []byte) (counts map[sample]int, total int) {
	counts = map[sample]int{}
	lines := bufio.NewScanner(bytes.NewReader(said))
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		total++
		if m := sampleLine.FindStringSubmatch(lines.Text()); m != nil {
			offset, _ := strconv.ParseUint("0"+m[2], 16, 64)
			counts[sample{m[3], m[1], offset}]++
		}
	}
	return counts, total
}

// profileOf finds the lines of samples in the programs' own tables.
func profileOf(counts map[sample]int, total int) *Profile {
	p := &Profile{By: "perf", lines: map[string]map[int]float64{}, functions: map[string]float64{}}
	tables := map[string]*lineTable{}
	for s, n := range counts {
		part := float64(n) / float64(max(total, 1))
		p.functions[plainName(s.symbol)] += part
		if tables[s.object] == nil {
			tables[s.object] = readLines(s.object)
		}
		if file, line, known := tables[s.object].find(s.symbol, s.offset); known {
			p.add(file, line, part)
		}
	}
	return p
}

// lineTable says which line of a source the instructions of a program are from.
type lineTable struct {
	symbols map[string]uint64
	rows    []lineRow
}

// lineRow is where the instructions of a line begin; those of no line have none.
type lineRow struct {
	address uint64
	file    string
	line    int
}

// readLines reads the table of a program; it is empty where that has none.
func readLines(path string) *lineTable {
	t := &lineTable{symbols: map[string]uint64{}}
	program, err := elf.Open(path)
	if err != nil {
		return t
	}
	defer program.Close()
	if symbols, err := program.Symbols(); err == nil {
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC {
				t.symbols[s.Name] = s.Value
			}
		}
	}
	data, err := program.DWARF()
	if err != nil {
		return t
	}
	units := data.Reader()
	for {
		unit, err := units.Next()
		if unit == nil || err != nil {
			break
		}
		if unit.Tag == dwarf.TagCompileUnit {
			t.addUnit(data, unit)
		}
		units.SkipChildren()
	}
	sort.SliceStable(t.rows, func(i, j int) bool { return t.rows[i].address < t.rows[j].address })
	return t
}

// addUnit adds the lines of a file that was compiled.
func (t *lineTable) addUnit(data *dwarf.Data, unit *dwarf.Entry) {
	lines, err := data.LineReader(unit)
	if lines == nil || err != nil {
		return
	}
	var entry dwarf.LineEntry
	for lines.Next(&entry) == nil {
		row := lineRow{address: entry.Address}
		if !entry.EndSequence && entry.File != nil {
			row.file, row.line = entry.File.Name, entry.Line
		}
		t.rows = append(t.rows, row)
	}
}

// find is the line of an instruction, so many bytes behind the beginning of a function.
func (t *lineTable) find(symbol string, offset uint64) (file string, line int, known bool) {
	start, is := t.symbols[symbol]
	if !is {
		return "", 0, false
	}
	k := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].address > start+offset })
	if k == 0 || t.rows[k-1].line == 0 {
		return "", 0, false
	}
	return t.rows[k-1].file, t.rows[k-1].line, true
}
