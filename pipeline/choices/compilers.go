package choices

import (
	"polytune/runner"
	variants "polytune/space/variant"
	"polytune/tuner"
)

// CompilerAxis is the axis of the session's compilers; the default is its own.
func CompilerAxis(compilers []runner.Toolchain) variants.Axis {
	names := make([]string, len(compilers))
	for k, t := range compilers {
		names[k] = t.Name
	}
	return variants.Axis{Name: tuner.CompilerAxis, About: "which compiler builds the program", Values: variants.Words(names...), Default: variants.Word(names[0])}
}

// SeenBy are the machine as the compilers see it, by their names.
func SeenBy(machine runner.Machine, compilers []runner.Toolchain) map[string]runner.Machine {
	seen := map[string]runner.Machine{}
	for _, t := range compilers {
		seen[t.Name] = machine.SeenBy(t)
	}
	return seen
}

// WithCompilers adds what the further compilers build: the original, behind the first
// candidate, and with full effort all candidates. With less the tuner itself adds the
// fastest ones: all of them would multiply the time of a quick session.
func (p *Probe) WithCompilers(list []tuner.Candidate, effort tuner.Effort) []tuner.Candidate {
	if len(p.Compilers) < 2 {
		return list
	}
	all := append([]tuner.Candidate{}, list[0])
	for _, t := range p.Compilers[1:] {
		all = append(all, tuner.Candidate{Axis: tuner.CompilerSetting(t.Name, "")})
	}
	all = append(all, list[1:]...)
	if effort != tuner.Full {
		return all
	}
	for _, t := range p.Compilers[1:] {
		for _, c := range list {
			all = append(all, tuner.Candidate{Partition: c.Partition, Axis: tuner.CompilerSetting(t.Name, c.Axis)})
		}
	}
	return all
}
