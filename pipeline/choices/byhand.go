package choices

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
	"polytune/tuner"
	"polytune/tuner/search"
)

// RecipeAxis is the axis that names the recipe of a candidate that somebody has written.
const RecipeAxis = "recipe"

// mostFillings bounds the fillings of one recipe with which a session begins.
const mostFillings = 64

// ByHand are recipes that somebody has written, with their holes as axes, and with those of what the
// models complete.
type ByHand struct {
	recipes []*handRecipe
	target  *pipeline.Target
	options transform.Options
}

// handRecipe is one of them.
type handRecipe struct {
	*byhand.Recipe
	name string
	// holes has the axes of the recipe's holes, model also those of what the models complete.
	holes, model *variants.Model
	// fixed are the choices that hold for all fillings.
	fixed byhand.Choices
	// partition is the one that the recipe begins with.
	partition space.Partition
}

// ReadByHand reads the recipes and schedules in files for a target, and fixes the holes that a text of choices
// names: hole.1=32. A recipe that cannot be read is a *refusal.Refusal.
func ReadByHand(ctx context.Context, t *pipeline.Target, files []byhand.File, fixed string, machine runner.Machine) (*ByHand, error) {
	options, err := pipeline.SessionModel.Options(machine)
	if err != nil {
		return nil, err
	}
	b := &ByHand{target: t, options: options}
	fits, failed := fixed == "", error(nil)
	for _, file := range files {
		read, err := file.Open(ctx, t)
		if err != nil {
			return nil, err
		}
		choices, err := read.ParseChoices(t, fixed)
		if err != nil {
			failed = err
		}
		fits = fits || err == nil
		filled, err := read.Fill(ctx, t, choices, options)
		if err != nil {
			return nil, err
		}
		own := &handRecipe{Recipe: read, name: b.nameOf(file.Path), fixed: choices, partition: filled.Partition()}
		if own.holes, err = variants.New(read.Axes(choices), nil); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		axes, ties, err := read.CompletionAxes(ctx, t, choices, options)
		if err != nil {
			return nil, err
		}
		if own.model, err = own.holes.Extended(axes, ties); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		b.recipes = append(b.recipes, own)
	}
	if !fits {
		return nil, usage.Mistake(fmt.Errorf("--point: %w", failed))
	}
	return b, nil
}

// nameOf is a name for the recipe in a file, as the text of a setting may have it.
func (b *ByHand) nameOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	name = strings.Map(func(r rune) rune {
		if r < 128 && (strings.ContainsRune("_.+-", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
	own := name
	for k := 2; b.named(own) != nil; k++ {
		own = fmt.Sprintf("%s.%d", name, k)
	}
	return own
}

// named is the recipe of a name, nil for none.
func (b *ByHand) named(name string) *handRecipe {
	for _, r := range b.recipes {
		if r.name == name {
			return r
		}
	}
	return nil
}

// Revision tells the recipes, with what they include, from others.
func (b *ByHand) Revision() string {
	hash := sha256.New()
	for _, r := range b.recipes {
		fmt.Fprintf(hash, "%s %+v\n", r.name, *r.Script)
		if len(r.fixed.Holes)+len(r.fixed.Models) > 0 {
			fmt.Fprintf(hash, "%+v\n", r.fixed)
		}
	}
	return " by hand " + hex.EncodeToString(hash.Sum(nil)[:8])
}

// Count is the number of fillings of all recipes.
func (b *ByHand) Count() *big.Int {
	all := big.NewInt(0)
	for _, r := range b.recipes {
		if count, ok := r.model.Count(space.DefaultBudget); ok {
			all.Add(all, count)
		}
	}
	return all
}

// Candidates are the recipes with which a session begins: all fillings of each, the first ones in
// front, or the first and its neighbours where there are many. What the models complete is as they
// have it, and with other tiles; more of that is the search's to find.
func (b *ByHand) Candidates() (list []tuner.Candidate) {
	var more []tuner.Candidate
	for _, r := range b.recipes {
		first := r.holes.Default()
		list = append(list, r.candidate(first))
		settings := r.holes.All()
		if count, ok := r.holes.Count(space.DefaultBudget); !ok || count.Cmp(big.NewInt(mostFillings)) > 0 {
			settings = r.holes.Neighbours(first)
		}
		for setting := range settings {
			if c := r.candidate(setting); c.Axis != list[len(list)-1].Axis {
				more = append(more, c)
			}
		}
		whole := r.model.Default()
		for setting := range r.model.Neighbours(whole) {
			if setting[transform.TileAxis] != whole[transform.TileAxis] {
				more = append(more, r.candidate(setting))
			}
		}
	}
	return append(list, more...)
}

// IsSmall says whether a session begins with all fillings.
func (b *ByHand) IsSmall() bool {
	return !slices.ContainsFunc(b.recipes, func(r *handRecipe) bool {
		count, ok := r.model.Count(space.DefaultBudget)
		return !ok || count.Cmp(big.NewInt(mostFillings)) > 0
	})
}

// text is a setting of the recipe's holes with its name.
func (r *handRecipe) text(s variants.Setting) string {
	return strings.TrimSpace(r.model.Text(s) + " " + RecipeAxis + "=" + r.name)
}

func (r *handRecipe) candidate(s variants.Setting) tuner.Candidate {
	return tuner.Candidate{Partition: r.partition, Axis: r.text(s)}
}

func (r *handRecipe) point(s variants.Setting) search.Point {
	return search.Point{Partition: r.partition, Setting: r.text(s)}
}

// read is the recipe of a setting, and what the setting says of its holes; nil where the setting
// names no recipe, or none of these.
func (b *ByHand) read(setting string) (*handRecipe, variants.Setting) {
	if b == nil {
		return nil, nil
	}
	words := strings.Fields(setting)
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, RecipeAxis+"=") })
	if at < 0 {
		return nil, nil
	}
	r := b.named(strings.TrimPrefix(words[at], RecipeAxis+"="))
	if r == nil {
		return nil, nil
	}
	holes, err := r.model.Parse(strings.Join(slices.Delete(words, at, at+1), " "))
	if err != nil {
		return nil, nil
	}
	return r, holes
}

// Has says whether a setting is of one of the recipes.
func (b *ByHand) Has(setting string) bool {
	r, _ := b.read(setting)
	return r != nil
}

// candidateOf is the candidate of a setting of one of the recipes.
func (b *ByHand) candidateOf(setting string) (c tuner.Candidate, is bool) {
	r, holes := b.read(setting)
	if r == nil {
		return c, false
	}
	return r.candidate(holes), true
}

// generate is the program of a setting of a recipe; ok is false where it is no such setting.
func (b *ByHand) generate(ctx context.Context, setting string) (v variant.Variant, ok bool, err error) {
	r, holes := b.read(setting)
	if r == nil {
		return v, false, nil
	}
	choices := byhand.Choices{Holes: maps.Clone(r.fixed.Holes), Models: maps.Clone(r.fixed.Models)}
	for axis, value := range holes {
		choices.Choose(axis, value)
	}
	filled, err := r.Fill(ctx, b.target, choices, b.options)
	if err != nil {
		return v, true, refusedBy(setting, err)
	}
	if v, err = variant.Replay(ctx, filled.Target, filled.Recipe); err != nil {
		v.Text = filled.Recipe.Text(filled.Target.Unit.Program)
		if why := filled.Explain(ctx, err); !errors.Is(why, err) || variant.IsIllegal(err) {
			return v, true, &tuner.IllegalError{Recipe: v.Text, Err: why}
		}
		return v, true, &tuner.CodegenError{Recipe: v.Text, Err: err}
	}
	return v, true, nil
}

// refusedBy is the error of a setting with which a recipe cannot be read.
func refusedBy(setting string, err error) error {
	if isl.IsLimit(err) {
		return &tuner.CodegenError{Err: err}
	}
	return &tuner.IllegalError{Recipe: "# " + setting + "\n", Err: err}
}

// withRecipes is a space with the fillings of recipes in front of another one, nil for none.
type withRecipes struct {
	*ByHand
	others search.Space
}

// Space is the space of the fillings, and of the points of another one, nil for none.
func (b *ByHand) Space(others search.Space) search.Space { return &withRecipes{b, others} }

// All yields the fillings, and then the other points.
func (w *withRecipes) All(ctx context.Context) iter.Seq2[search.Point, error] {
	return func(yield func(search.Point, error) bool) {
		for _, r := range w.recipes {
			for setting := range r.model.All() {
				if !yield(r.point(setting), ctx.Err()) {
					return
				}
			}
		}
		if w.others == nil {
			return
		}
		for p, err := range w.others.All(ctx) {
			if !yield(p, err) {
				return
			}
		}
	}
}

// Neighbours are the fillings one step away, or the neighbours in the other space.
func (w *withRecipes) Neighbours(ctx context.Context, p search.Point) (points []search.Point, err error) {
	compiler, setting := tuner.SplitCompiler(p.Setting)
	r, holes := w.read(setting)
	switch {
	case r == nil && w.others == nil:
		return nil, ctx.Err()
	case r == nil:
		return w.others.Neighbours(ctx, p)
	}
	for next := range r.model.Neighbours(holes) {
		points = append(points, by(compiler, r.point(next)))
	}
	return points, ctx.Err()
}

// by is a point that a compiler builds.
func by(compiler string, p search.Point) search.Point {
	if compiler != "" {
		p.Setting = tuner.CompilerSetting(compiler, p.Setting)
	}
	return p
}

// Random draws a recipe's filling, or a point of the other space, each half of the time.
func (w *withRecipes) Random(ctx context.Context, random *rand.Rand) (search.Point, error) {
	if w.others != nil && (w.IsSmall() || random.IntN(2) == 0) {
		return w.others.Random(ctx, random)
	}
	return w.draw(random, w.recipes[random.IntN(len(w.recipes))]), ctx.Err()
}

// draw draws a filling.
func (w *withRecipes) draw(random *rand.Rand, r *handRecipe) search.Point {
	if sampler, ok := r.model.Sampler(space.DefaultBudget); ok {
		return r.point(sampler.Draw(random))
	}
	return r.point(r.model.Default())
}

// Cross mixes two fillings of one recipe, or two points of the other space.
func (w *withRecipes) Cross(ctx context.Context, random *rand.Rand, a, b search.Point) (search.Point, error) {
	compiler, setting := tuner.SplitCompiler(a.Setting)
	_, with := tuner.SplitCompiler(b.Setting)
	r, left := w.read(setting)
	other, right := w.read(with)
	switch {
	case r == nil && other == nil && w.others != nil:
		return w.others.Cross(ctx, random, a, b)
	case r == nil || r != other:
		return a, ctx.Err()
	}
	mixed := variants.Setting{}
	for _, axis := range r.model.Axes() {
		from := []variants.Setting{left, right}[random.IntN(2)]
		if value, has := from[axis.Name]; has {
			mixed[axis.Name] = value
		}
	}
	child, ok := r.model.Adapt(mixed)
	if !ok {
		return a, ctx.Err()
	}
	return by(compiler, r.point(child)), ctx.Err()
}

// Retile draws another filling, or other tiles.
func (w *withRecipes) Retile(ctx context.Context, random *rand.Rand, p search.Point) (search.Point, error) {
	compiler, setting := tuner.SplitCompiler(p.Setting)
	r, _ := w.read(setting)
	switch {
	case r == nil && w.others == nil:
		return p, ctx.Err()
	case r == nil:
		return w.others.Retile(ctx, random, p)
	}
	return by(compiler, w.draw(random, r)), ctx.Err()
}

// Features are those of the other space; of recipes nothing is known before they are built.
func (w *withRecipes) Features(ctx context.Context, points []search.Point) ([][]float64, error) {
	features := make([][]float64, len(points))
	var others []search.Point
	var places []int
	for k, p := range points {
		if _, setting := tuner.SplitCompiler(p.Setting); w.others != nil && !w.Has(setting) {
			others, places = append(others, p), append(places, k)
		}
	}
	if len(others) == 0 {
		return features, ctx.Err()
	}
	known, err := w.others.Features(ctx, others)
	for k, place := range places {
		if err == nil {
			features[place] = known[k]
		}
	}
	return features, err
}
