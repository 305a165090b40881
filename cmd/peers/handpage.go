package main

import (
	"fmt"
	"strings"
)

const handIntroduction = `
## Schedules by hand

Recipes that people have written, beside what %[1]stune --effort normal%[1]s finds and what libraries have for
the operation: [schedules-by-hand.md](schedules-by-hand.md) explains some of them. Made by
%[1]sbin/peers -by-hand -kernels tiramisu%[1]s of [peers-by-hand.json](peers-by-hand.json).

- Date: %[2]s, polytune %[3]s
- Machine: %[4]s
- Size %[5]s, %[6]d threads%[8]s. Times are %[9]s, in seconds.
%[7]s

`

// handSection is the part of the page about recipes by hand, as Markdown.
func (d *data) handSection() string {
	var w strings.Builder
	fmt.Fprintf(&w, handIntroduction, "`", d.Date, d.Source, d.Machine.text(), d.Size, d.Threads, d.disturbances(), d.environment(), d.statistic())
	list := d.measured()
	fmt.Fprint(&w, "| kernel |")
	for _, e := range list {
		fmt.Fprintf(&w, " %s |", e.Name)
	}
	fmt.Fprintf(&w, "\n|---%s|\n", strings.Repeat("|---:", len(list)))
	for i := range d.Kernels {
		k := &d.Kernels[i]
		fmt.Fprintf(&w, "| %s |", k.short())
		for _, e := range list {
			fmt.Fprintf(&w, " %s |", d.cell(k, e.Name))
		}
		fmt.Fprintln(&w)
	}
	if !d.isBusy() {
		d.writeHandRatios(&w)
	}
	d.writeFailures(&w)
	return w.String()
}

// writeHandRatios writes how many times as fast recipes by hand are as other code.
func (d *data) writeHandRatios(w *strings.Builder) {
	fmt.Fprintf(w, "\nHow many times as fast the recipe by hand is:\n\n| kernel | over %s | over polytune's own best | over %s | over the best library |\n|---|---:|---:|---:|---:|\n", reference, nests)
	for i := range d.Kernels {
		k := &d.Kernels[i]
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", k.short(), ratioText(d.handOver(k, reference)), ratioText(d.handOverOurs(k)),
			ratioText(d.handOver(k, nests)), ratioText(d.handOver(k, d.bestLibrary(k))))
	}
	mean, count := d.mean(d.handOverOurs)
	fmt.Fprintf(w, "| **geometric mean of %d** | | **%.2f** | | |\n", count, mean)
}

// handOver is how many times as fast the recipe by hand is as a peer.
func (d *data) handOver(k *kernel, peer string) (ratio float64, known bool) {
	base, _ := d.time(k, peer)
	seconds, _ := d.time(k, byHand)
	return over(base, seconds)
}

// handOverOurs is how many times as fast the recipe by hand is as the faster of what the models chose
// and what timing found: a short session may end with the original.
func (d *data) handOverOurs(k *kernel) (ratio float64, known bool) {
	ratio, known = d.handOver(k, tuned)
	if plain, has := d.handOver(k, untuned); has && (!known || plain < ratio) {
		return plain, true
	}
	return ratio, known
}

// bestLibrary is the name of the fastest library for a kernel, "" where none has it.
func (d *data) bestLibrary(k *kernel) string {
	name, _ := d.best(k, library)
	return name
}
