package pipeline

import (
	"slices"

	"polytune/benchmarks"
)

// Several resolves any number of files, or a list of benchmarks and suites, to
// all of their regions. A size that one of several has may be given for all.
func (o *Options) Several(args []string) ([]*Target, error) {
	return o.SeveralOr(args, func(_ string, err error) error { return err })
}

// SeveralOr is Several with what becomes of files of several that cannot be read: failed says with
// which error to end, or nil to go on.
func (o *Options) SeveralOr(args []string, failed func(name string, err error) error) ([]*Target, error) {
	if err := o.Program.parse(); err != nil {
		return nil, err
	}
	if o.Bench == "" && len(args) < 2 || o.Bench != "" && len(args) > 0 {
		return o.All(args)
	}
	if _, err := benchmarks.Find(o.Bench); err == nil {
		return o.All(args)
	}
	chosen, err := o.each(args)
	if err != nil {
		return nil, err
	}
	if len(chosen) == 1 {
		return chosen[0].All(args)
	}
	var all []*Target
	var sizes []string
	for k := range chosen {
		found, err := chosen[k].All(args[min(k, len(args)):min(k+1, len(args))])
		if err != nil {
			if err = failed(chosen[k].nameOf(args, k), err); err != nil {
				return all, err
			}
		}
		for _, t := range found {
			sizes = append(sizes, t.FileParameters...)
		}
		all = append(all, found...)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	for _, t := range all {
		own := func(name string) bool { return slices.Contains(t.FileParameters, name) }
		t.ForeignParameters = slices.DeleteFunc(slices.Clone(sizes), own)
	}
	return all, nil
}

// each are the options for each of several files or benchmarks.
func (o *Options) each(args []string) (list []Options, err error) {
	if o.Bench == "" {
		for range args {
			list = append(list, *o)
		}
		return list, nil
	}
	chosen, err := benchmarks.Select(o.Bench)
	for _, b := range chosen {
		one := *o
		one.Bench = b.Name
		list = append(list, one)
	}
	return list, err
}

// nameOf is what the k-th of several is called.
func (o *Options) nameOf(args []string, k int) string {
	if o.Bench != "" {
		return o.Bench
	}
	return args[k]
}
