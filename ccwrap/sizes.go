package ccwrap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/codegen"
	"polytune/handout"
	"polytune/pipeline"
	"polytune/store"
)

// bySizes is the setting with which programs choose among the results for all sizes.
const bySizes = "sizes"

// bySizes is the text of a file in which a region chooses among the best variants for all sizes, and
// what they are.
func (c *ccChooser) bySizes(ctx context.Context, t *pipeline.Target, fitting []ccBest) (text []byte, what string, err error) {
	list := bestOfSizes(fitting)
	if !slices.ContainsFunc(list, func(b store.Best) bool { return !store.IsOriginal(b.Variant.ID) }) {
		return nil, "", errors.New("nothing is faster than the original at any size")
	}
	choice, err := handout.ChoiceBySizes(t, codegen.NewDispatcher(nil, t.Region.Names), list, nil, func(b store.Best) (string, error) {
		placed, err := handout.Place(ctx, t, b)
		if err != nil {
			return "", err
		}
		return placed.Code(t), nil
	})
	if err != nil {
		return nil, "", err
	}
	var words []string
	for _, b := range list {
		words = append(words, fmt.Sprintf("%s at size %s", b.Variant.ID, b.Size))
	}
	return t.Region.Replace(t.File.Source, choice), "the nearest of " + strings.Join(words, ", "), nil
}

// bestOfSizes is the best result for each size, as chooseSize has it.
func bestOfSizes(fitting []ccBest) (list []store.Best) {
	var sizes []string
	for _, b := range fitting {
		sizes = append(sizes, b.Size)
	}
	slices.Sort(sizes)
	for _, size := range slices.Compact(sizes) {
		if best, err := chooseSize(slices.Clone(fitting), size); err == nil {
			list = append(list, best.Best)
		}
	}
	slices.SortStableFunc(list, func(a, b store.Best) int { return cmp.Compare(a.Summary.Seconds.Median, b.Summary.Seconds.Median) })
	return list
}
