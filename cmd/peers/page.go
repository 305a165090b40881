package main

import (
	"fmt"
	"slices"
	"strings"

	"polytune/tuner/stat"
)

const introduction = `# How fast the generated code is, beside others

Made by %[1]smake peers%[1]s of [peers.json](peers.json), which has every sample; the page is written, do not edit it.

- Date: %[2]s, polytune %[3]s
- Machine: %[4]s
- %[9]d kernels of PolyBench at size %[5]s, %[6]d threads%[10]s
- Times are %[8]s, in seconds. A round has every program once, in random order. Programs that are more
  than ten times slower than the fastest have two samples.
- Every result was compared with the original's: each element at the sizes mini and small, and sums over 64 parts of every
  array at full size, within the tolerance for sums in another order. What differs counts as wrong.
%[7]s

`

const installing = `
Missing peers are found when they are installed, on Debian for instance by

    apt-get install clang-19 libpolly-19-dev libomp-19-dev libopenblas-openmp-dev libblis-openmp-dev

and Pluto (https://github.com/bondhugula/pluto) when polycc is on PATH. ` + "`make peers`" + ` itself needs no rights of root.
`

// page is the results as Markdown.
func (d *data) page(notes []note) string {
	var w strings.Builder
	fmt.Fprintf(&w, introduction, "`", d.Date, d.Source, d.Machine.text(), d.Size, d.Threads, d.disturbances(), d.statistic(), len(d.Kernels), d.environment())
	if !d.isBusy() {
		fmt.Fprintf(&w, "![How many times as fast as its best peer polytune is for each kernel](%s)\n\n", picture)
		d.writeMeans(&w)
		d.writeRatios(&w)
	}
	d.writeSeconds(&w)
	if !d.isBusy() {
		d.writeNotes(&w, notes)
	}
	d.writeFailures(&w)
	d.writePeers(&w)
	return w.String()
}

// text is the machine in words.
func (m machine) text() string {
	text := fmt.Sprintf("%s, %s, %d cores, %s, %d GiB, %s", m.CPU, m.Architecture, m.Cores, strings.Join(m.Caches, ", "), m.MemoryGiB, m.System)
	if m.Virtual {
		text += ", a virtual machine"
	}
	return text
}

// loads are the load averages before and after the kernels.
func (d *data) loads() []float64 {
	var list []float64
	for _, k := range d.Kernels {
		list = append(list, k.Load[0], k.Load[1])
	}
	return list
}

// isBusy says whether other programs had the machine for themselves at least as
// much as one of the threads: then no ratios are published.
func (d *data) isBusy() bool {
	load, err := stat.Median(d.loads())
	return err == nil && load > float64(d.Threads)+1
}

// disturbances says how much else the machine did, how far samples are apart, and what a person has to say of both.
func (d *data) disturbances() string {
	var deviations []float64
	for _, k := range d.Kernels {
		for _, r := range k.Results {
			if deviation, err := stat.RelativeMedianAbsoluteDeviation(r.Seconds); err == nil && len(r.Seconds) > 1 {
				deviations = append(deviations, deviation)
			}
		}
	}
	load, err := stat.Median(d.loads())
	if err != nil {
		return "- Nothing is known of what else the machine did."
	}
	text := fmt.Sprintf("- Load average %.1f in the median, %.1f at most: beyond %d it is other work, which makes times longer.", load, slices.Max(d.loads()), d.Threads)
	if spread, err := stat.Median(deviations); err == nil {
		text += fmt.Sprintf("\n  Samples differ from their median by %.1f%% in the median of all results, %.1f%% at most.", 100*spread, 100*slices.Max(deviations))
	}
	if d.isBusy() {
		text += busy
	}
	if d.Remark != "" {
		text += "\n- " + d.Remark
	}
	return text
}

// busy warns of a run whose ratios say little.
const busy = "\n\n**The machine was busy with other work in this run. That costs parallel programs, whose threads wait for each other, far\n" +
	"more than sequential ones, and short parallel loops most of all. The run shows who takes part and whether their results are right; how\n" +
	"fast they are has to be measured again on a free machine, and no ratios are given here.**"

// environment is what the user has set, for the line about threads.
func (d *data) environment() string {
	if len(d.Environment) == 0 {
		return ""
	}
	return ", with " + strings.Join(d.Environment, " ")
}

// statistic names what counts of the samples.
func (d *data) statistic() string {
	if d.Minima {
		return "the least of all calls"
	}
	return "medians of the rounds"
}

// measured are the peers that have a result.
func (d *data) measured() []entry {
	var list []entry
	for _, e := range d.Peers {
		if slices.ContainsFunc(d.Kernels, func(k kernel) bool { return k.of(e.Name) != nil }) {
			list = append(list, e)
		}
	}
	return list
}

// writeMeans writes geometric means.
func (d *data) writeMeans(w *strings.Builder) {
	fmt.Fprintf(w, "## In the geometric mean\n\n| times as fast | ratio | kernels |\n|---|---:|---:|\n")
	row := func(about string, ratio func(k *kernel) (float64, bool)) {
		if value, count := d.mean(ratio); count > 0 {
			fmt.Fprintf(w, "| %s | %.2f | %d |\n", about, value, count)
		}
	}
	for _, e := range d.measured() {
		if e.Name != reference {
			row(e.Name+" over "+reference, func(k *kernel) (float64, bool) { return d.overReference(k, e.Name) })
		}
	}
	row("the best peer of each kernel over "+reference, func(k *kernel) (float64, bool) {
		name, _ := d.bestPeer(k)
		return d.overReference(k, name)
	})
	row("polytune over "+reference, func(k *kernel) (float64, bool) {
		name, _ := d.ours(k)
		return d.overReference(k, name)
	})
	row("**polytune over the best peer of each kernel**", d.overPeer)
	row("polytune over the best library", d.overLibrary)
}

// writeRatios writes how many times as fast polytune is, kernel by kernel.
func (d *data) writeRatios(w *strings.Builder) {
	fmt.Fprint(w, "\n## How many times as fast polytune is\n\nThe best peer is the fastest compiler or polyhedral tool; libraries are beside.\n"+
		"They add in any order: polytune's time beside theirs is that of "+unordered+" where that is shorter.\n\n"+
		"| kernel | polytune is | best peer | best library | over gcc | over the best peer | over the best library |\n|---|---|---|---|---:|---:|---:|\n")
	for i := range d.Kernels {
		k := &d.Kernels[i]
		mine, _ := d.ours(k)
		peer, _ := d.bestPeer(k)
		lib, _ := d.best(k, library)
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", k.short(), mine, peer, lib,
			ratioText(d.overReference(k, mine)), ratioText(d.overPeer(k)), ratioText(d.overLibrary(k)))
	}
}

// short is the kernel's name without its suite.
func (k *kernel) short() string {
	_, name, found := strings.Cut(k.Name, "/")
	if !found {
		return k.Name
	}
	return name
}

func ratioText(ratio float64, known bool) string {
	if !known {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio)
}

// writeSeconds writes the medians of all peers.
func (d *data) writeSeconds(w *strings.Builder) {
	list := d.measured()
	fmt.Fprint(w, "\n## Seconds\n\n| kernel |")
	for _, e := range list {
		fmt.Fprintf(w, " %s |", e.Name)
	}
	fmt.Fprintf(w, "\n|---%s|\n", strings.Repeat("|---:", len(list)))
	for i := range d.Kernels {
		k := &d.Kernels[i]
		fmt.Fprintf(w, "| %s |", k.short())
		for _, e := range list {
			fmt.Fprintf(w, " %s |", d.cell(k, e.Name))
		}
		fmt.Fprintln(w)
	}
	if missing := d.unmeasured(); len(missing) > 0 {
		fmt.Fprintf(w, "\nNot measured in this run: %s.\n", strings.Join(missing, ", "))
	}
}

// cell is a result in the table of seconds, with three digits.
func (d *data) cell(k *kernel, peer string) string {
	r := k.of(peer)
	seconds, known := d.time(k, peer)
	switch {
	case r == nil:
		return ""
	case !known:
		return string(r.Status)
	case seconds < 0.01:
		return fmt.Sprintf("%.3g ms", 1000*seconds)
	}
	return fmt.Sprintf("%.3g", seconds)
}

// writeNotes writes the kernels for which polytune is not much faster, and why.
func (d *data) writeNotes(w *strings.Builder, notes []note) {
	fmt.Fprintf(w, "\n## Where polytune is less than %.1f times as fast as the best peer\n\n", expected)
	for i := range d.Kernels {
		k := &d.Kernels[i]
		ratio, compared := d.overPeer(k)
		if compared && ratio >= expected {
			continue
		}
		text := "no reason is known yet."
		if n := noteOf(notes, k.Name); n != nil {
			text = strings.TrimSpace(n.Reason)
			if n.Slower > 0 {
				text += fmt.Sprintf(" (A stated exception: at most %.2f times the best peer's time.)", n.Slower)
			}
		}
		fmt.Fprintf(w, "- %s (%s): %s\n", k.short(), ratioText(ratio, compared), text)
	}
}

// writeFailures writes what went wrong.
func (d *data) writeFailures(w *strings.Builder) {
	for _, s := range []status{wrong, failed, notBuilt} {
		if list := d.failures(s); len(list) > 0 {
			fmt.Fprintf(w, "\n## Results with the status %s\n\n- %s\n", s, strings.Join(list, "\n- "))
		}
	}
}

// writePeers writes who took part, and who did not.
func (d *data) writePeers(w *strings.Builder) {
	fmt.Fprint(w, "\n## The peers\n\n| name | kind | what | compiler | flags | environment |\n|---|---|---|---|---|---|\n")
	var missing []entry
	for _, e := range d.Peers {
		if e.Missing != "" {
			missing = append(missing, e)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | `%s` | %s |\n", e.Name, e.Kind, e.About, e.Compiler, e.Flags, strings.Join(e.Environment, " "))
	}
	if len(missing) == 0 {
		return
	}
	fmt.Fprint(w, "\nNot in this run:\n\n")
	for _, e := range missing {
		fmt.Fprintf(w, "- %s (%s): %s\n", e.Name, e.About, e.Missing)
	}
	fmt.Fprint(w, installing)
}
