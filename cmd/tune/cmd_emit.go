package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/handout"
	"polytune/internal/usage"
	"polytune/store"
	"polytune/target/gpu"
)

func newEmitCommand(global *globalOptions) *cobra.Command {
	o := &handout.EmitOptions{}
	c := &cobra.Command{
		Use:   "emit TARGET -o FILE",
		Short: "Write the program with the best known variant in place",
		Long: `Write the program with the best known variant for this machine in place of the
region, pragmas included; everything else stays byte for byte the same. A file
with several regions has all of them replaced, unless one is chosen. A comment
says which variant it is, and how, where and when it was timed. Where no variant
is known to be faster the original stays, and a line on standard error says how
many more rounds would tell; --any takes the first variant anyway.

With --dispatch the program has the best variants of all machines that the
database knows, such as one of tune merge, and the original. When it runs it
looks at the system's name of the processor and the number of cores; on a machine
that is none of these the original runs. The environment's POLYTUNE_MACHINE
names a machine by its id or name instead. With --target cuda or opencl it has kernels
where these are faster than all that processors have; the processors' variants run
where the program finds no device.

With --dispatch sizes it has the best variants of all sizes that were timed here, and
takes the one whose size is the nearest to the region's parameters, by ratios; below
the least size at which a variant is faster the original runs. --dispatch
machines,sizes chooses by both.
` + driverHelp + exitStatusHelp(),
		Example: "  tune emit --bench 2mm -o 2mm.best.c\n  tune emit kernel.c -o kernel.best.c\n  tune emit kernel.c --db all.db --dispatch -o kernel.all.c\n  tune emit kernel.c --dispatch sizes -o kernel.sizes.c\n  tune emit kernel.c --driver kernel.measured",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.OutputGiven = c.Flags().Changed("output")
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runEmit(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	bestFlags(&o.Best, c, global)
	c.Flags().StringVarP(&o.Output, "output", "o", "-", "the `file` to write; - is standard output")
	c.Flags().Var(&o.Dispatch, dispatchFlag, "put several variants in place, and choose when the program runs: by `machines`, sizes, or machines,sizes")
	c.Flags().Lookup(dispatchFlag).NoOptDefVal = "machines"
	c.Flags().StringVar(&o.Driver, "driver", "", "write the programs that were timed into this `folder`, for perf and others")
	driverFlags(c.Flags(), &o.Best.Target.Driver)
	runFlags(c.Flags(), &o.Best.Target.Program)
	c.Flags().BoolVar(&o.LineDirectives, lineFlag, false, lineHelp)
	return c
}

func runEmit(ctx context.Context, w io.Writer, o *handout.EmitOptions, args []string, settings configs.Settings) error {
	if o.Dispatch.Machines && o.Best.Machine != "" {
		return usage.Mistake(errors.New("--dispatch is for all machines; leave out --machine"))
	}
	if err := o.Best.Device.Check(&o.Best.Target); err != nil {
		return usage.Mistake(err)
	}
	if err := cmp.Or(checkDriver(o), keepSource(o.Output, args)); err != nil {
		return err
	}
	o.Best.AllMachines = o.Dispatch.Machines
	targets, err := o.Best.Target.All(args)
	if err != nil {
		return err
	}
	o.Best.Target.WarnOfMacros(os.Stderr, targets, settings.SelectedToolchain())
	known, err := o.Best.Find(ctx, targets, settings)
	if err != nil {
		return err
	}
	var processors []handout.Known
	if o.Dispatch.IsOn() && o.Best.Target.IsOnDevice() {
		if processors, err = o.Best.OnProcessors(ctx, args, settings); err != nil {
			return err
		}
	}
	o.CUDA = gpu.Compiler(settings)
	return writeEmitted(ctx, o, w, known, func() ([]byte, error) {
		switch {
		case o.Dispatch.Sizes:
			return o.EmitBySizes(ctx, known)
		case o.Dispatch.Machines:
			return o.EmitDispatch(ctx, known, processors)
		}
		return o.EmitAll(ctx, known)
	})
}

// dispatchFlag says by what a program chooses among variants.
const dispatchFlag = "dispatch"

// driverHelp is what the help of tune emit says of --driver.
const driverHelp = `
With --driver FOLDER the folder gets the programs that were timed, of the original and
of the variant, for perf, hyperfine or VTune: their sources, the driver that calls a
function with its data, a Makefile, a script that runs them as they were timed, and a
README with the commands. A file with several regions has a folder for each.`

// checkDriver refuses flags that contradict each other.
func checkDriver(o *handout.EmitOptions) error {
	if o.Dispatch.Sizes && o.Best.Target.IsOnDevice() {
		return usage.Mistake(errors.New("--dispatch sizes is for processors; leave out --target, or choose by machines"))
	}
	if o.Dispatch.IsOn() && o.Best.Device.Timing == store.KernelTiming {
		return usage.Mistake(errors.New("--dispatch compares whole times of kernels with those of processors; leave out --timing"))
	}
	if o.Driver != "" && o.Dispatch.IsOn() {
		return usage.Mistake(errors.New("--driver is for the programs that were timed on one machine; leave out --dispatch"))
	}
	return nil
}

// writeEmitted writes what is asked for: the measured programs, the program, or both.
func writeEmitted(ctx context.Context, o *handout.EmitOptions, w io.Writer, known []handout.Known, source func() ([]byte, error)) error {
	if o.Driver != "" {
		if err := o.WriteDrivers(ctx, known); err != nil || !o.OutputGiven {
			return err
		}
	}
	text, err := source()
	if err != nil {
		return err
	}
	if len(o.Kernels) > 0 && o.Output != "-" {
		if err := writeOutput(nil, besideOf(o.Output, o.Suffix), o.Kernels); err != nil {
			return err
		}
	}
	return writeOutput(w, o.Output, text)
}
