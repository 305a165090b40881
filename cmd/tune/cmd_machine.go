package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/isl"
	"polytune/runner"
)

type machineOptions struct {
	json bool
}

func newMachineCommand(global *globalOptions) *cobra.Command {
	o := &machineOptions{}
	c := &cobra.Command{
		Use:     "machine",
		Short:   "Show this machine, its compilers, and what would disturb timings",
		Long:    "Show what this machine is, which of the configured compilers it has, and what\nwould disturb timings, with what to do about it." + exitStatusHelp(),
		Example: "  tune machine\n  tune machine --json",
		Args:    maximumArgs(0),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runMachine(c, o, settings)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// machineReport is the JSON document of tune machine.
type machineReport struct {
	Machine      runner.Machine    `json:"machine"`
	ISL          string            `json:"isl"`
	Toolchains   []toolchainReport `json:"toolchains"`
	Disturbances []runner.Warning  `json:"disturbances"`
}

type toolchainReport struct {
	Name  string            `json:"name"`
	Found *runner.Toolchain `json:"found,omitempty"`
	Error string            `json:"error,omitempty"`
}

func runMachine(c *cobra.Command, o *machineOptions, settings configs.Settings) error {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	r := machineReport{Machine: machine, ISL: isl.Version(), Disturbances: machine.Disturbances()}
	for _, name := range sortedKeys(settings.Toolchains) {
		entry := toolchainReport{Name: name}
		settings.Toolchain = name
		found, err := runner.FindToolchain(c.Context(), runner.ToolchainSpec(settings.SelectedToolchain()))
		if err != nil {
			entry.Error = err.Error()
		} else {
			entry.Found = &found
		}
		r.Toolchains = append(r.Toolchains, entry)
	}
	if o.json {
		return writeJSON(c.OutOrStdout(), r)
	}
	r.print(c.OutOrStdout())
	return nil
}

func (r *machineReport) print(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "machine    %s  %s, %d cores, %s memory\n", strings.TrimSpace(m.ID+" "+m.Name), m.CPU, m.Cores, formatBytes(int64(m.Memory)))
	for _, cache := range m.Caches {
		fmt.Fprintf(w, "cache      L%d %s %s, %d-way, lines of %d bytes, shared by %d\n",
			cache.Level, cache.Kind, formatBytes(cache.Size), cache.Associativity, cache.Line, len(cache.SharedBy))
	}
	if assumed, known := m.DataCaches(); !known {
		fmt.Fprintf(w, "cache      the system reports none; tiles are made for %s\n", formatBytes(assumed[0].Size))
	}
	fmt.Fprintf(w, "vectors    %s\n", vectorText(m.Vector))
	fmt.Fprintf(w, "isl        %s\n", firstLine(r.ISL))
	for _, t := range r.Toolchains {
		if t.Found != nil {
			fmt.Fprintf(w, "compiler   %s %s at %s for %s, %s\n", t.Name, t.Found.Version, t.Found.Path, t.Found.Target, vectorText(runner.VectorOf(m, *t.Found)))
		} else {
			fmt.Fprintf(w, "compiler   %s: %s\n", t.Name, firstLine(t.Error))
		}
	}
	for _, d := range r.Disturbances {
		fmt.Fprintf(w, "warning    %s\n           %s\n", d.Message, d.Advice)
	}
}

// vectorText describes vector registers for people.
func vectorText(v runner.Vector) string {
	if v.Bits == 0 {
		return "no vector registers known"
	}
	fused := ""
	if v.Fused {
		fused = ", fused multiply-add"
	}
	return fmt.Sprintf("%s: %d registers of %d bits%s", v.Set, v.Registers, v.Bits, fused)
}
