package handout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"polytune/codegen"
	"polytune/internal/ctext"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop"
	"polytune/store"
	"polytune/target"
)

// EmitOptions say which program is written.
type EmitOptions struct {
	Best           Options
	Output         string
	Dispatch       Dispatch
	LineDirectives bool
	// Driver is the folder for the measured programs, "" for none; OutputGiven says that
	// the command line names a file, too.
	Driver      string
	OutputGiven bool
	// CUDA is the compiler of kernels in the measured programs.
	CUDA runner.ToolchainSpec
	// Kernels is what EmitAll has made for a device's compiler beside the program, and Suffix
	// that of its file's name; nil and "" for nothing.
	Kernels []byte
	Suffix  string
}

// EmitAll puts the fastest variants of all regions in place.
func (o *EmitOptions) EmitAll(ctx context.Context, known []Known) ([]byte, error) {
	return o.Replace(known, func(k Known) ([]byte, error) {
		if err := k.oneSize(); err != nil {
			return nil, err
		}
		placed, err := k.emitNoted(ctx, k.Results[0])
		if placed.Device != nil {
			o.Kernels, o.Suffix = append(o.Kernels, placed.Device.Text...), placed.Device.Suffix
		}
		return placed.Source, err
	})
}

// Replace puts what emit makes of each region in place, from the last region to
// the first, so that the places of the earlier ones stay true.
func (o *EmitOptions) Replace(known []Known, emit func(Known) ([]byte, error)) ([]byte, error) {
	file := known[0].Target.File
	for _, k := range slices.Backward(known) {
		k.Target.SetFile(file)
		source, err := emit(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Target.Name, err)
		}
		if o.LineDirectives {
			source = k.Target.WithLineDirective(source)
		}
		next := *file
		next.Source = source
		file = &next
	}
	return file.Source, nil
}

// emitNoted is the program with a result's variant in place, and a comment that
// says where the result comes from.
func (k *Known) emitNoted(ctx context.Context, b store.Best) (Placed, error) {
	placed, err := Place(ctx, k.Target, b)
	if err != nil {
		return placed, err
	}
	open := k.Contenders[b.Trial]
	if open != nil {
		fmt.Fprintf(k.notes, "%s: note: %s; tune again times it anew, --any takes it\n", k.Target.Name, open.Text())
	}
	note, err := k.originNote(k.Target, b)
	if err != nil {
		return placed, err
	}
	region := k.Target.Region
	placed.Source = ctext.Splice(placed.Source, region.PragmaStart, region.PragmaStart, codegen.Comment(note, region.Indent))
	return placed, nil
}

// oneSize asks the user to choose when the best variant depends on the size.
func (k *Known) oneSize() error {
	first := k.Results[0]
	sizes := []string{first.Size}
	differ := false
	for _, b := range k.Results[1:] {
		if b.Size != sizes[len(sizes)-1] {
			sizes = append(sizes, b.Size)
			differ = differ || b.Variant.ID != first.Variant.ID
		}
	}
	if differ {
		return fmt.Errorf("the best variant depends on the size, and there are results for %s; choose one with --size or --param", strings.Join(sizes, "; "))
	}
	return nil
}

// Placed is a program with a stored variant in place.
type Placed struct {
	Source []byte
	// Device is what a device's compiler reads beside it, nil for nothing.
	Device *target.Device
	// Recipe is the variant's, of the program Program; nil where the region is as it is written.
	Recipe  schedule.Recipe
	Program *scop.Program
}

// Code is the text that takes the region's place.
func (p Placed) Code(t *pipeline.Target) string {
	return string(p.Source[t.Region.PragmaStart : len(p.Source)-(len(t.File.Source)-t.Region.PragmaEnd)])
}

// Place is the program with a stored variant in place. Where the original is
// the best, only the pragmas go.
func Place(ctx context.Context, t *pipeline.Target, b store.Best) (Placed, error) {
	if store.IsOriginal(b.Variant.ID) {
		code := t.Region.AsWritten(t.File.Source)
		return Placed{Source: t.Region.Replace(t.File.Source, code)}, nil
	}
	placed, err := follow(ctx, t, b.Variant.Recipe)
	if err == nil || ctx.Err() != nil || t.Written == t.Whole {
		return placed, err
	}
	// The variant may have been made of the program without private copies.
	other := *t
	other.Unit.Program, other.Whole = t.Written, t.Written
	if placed, failed := follow(ctx, &other, b.Variant.Recipe); failed == nil {
		return placed, nil
	}
	return Placed{}, err
}

// follow is the program transformed by the text of a recipe.
func follow(ctx context.Context, t *pipeline.Target, text string) (Placed, error) {
	at, recipe, err := t.ReadRecipe(text)
	if err != nil {
		return Placed{}, err
	}
	v, err := variant.Replay(ctx, at, recipe)
	return Placed{v.Source, v.Device, v.Recipe, at.Unit.Program}, err
}
