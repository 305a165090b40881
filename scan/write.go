package scan

import (
	"io"
	"path/filepath"

	"polytune/frontend"
	"polytune/internal/outfile"
)

// write puts pragmas around the nests of a file that can be modelled: around several at once that
// come one after the other, where they can be modelled together.
func (f *File) write() error {
	if f.Error != "" {
		return nil
	}
	groups, err := f.together(f.neighbours())
	if err != nil {
		return err
	}
	count := len(groups)
	f.Written = &count
	if count == 0 {
		return nil
	}
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return err
	}
	return outfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(f.pragmas(groups).into(f.source))
		return err
	})
}

// mostTogether is how many nests a region gets at most: the models look at all ways to fuse them.
const mostTogether = 8

// neighbours are the nests that can be modelled, those together between which nothing stands.
func (f *File) neighbours() (groups []group) {
	var last *Nest
	for _, n := range f.Nests {
		if n.Status != Modelled {
			continue
		}
		isNext := last != nil && last.loop.End <= n.loop.Start && frontend.IsBlank(f.source[last.loop.End:n.loop.Start])
		if isNext && len(groups[len(groups)-1]) < mostTogether {
			groups[len(groups)-1] = append(groups[len(groups)-1], n)
		} else {
			groups = append(groups, group{n})
		}
		last = n
	}
	return groups
}

// together are the groups that can be modelled, the others nest by nest.
func (f *File) together(groups []group) (kept []group, err error) {
	probes := make([]group, len(groups))
	for k, g := range groups {
		first := *g[0]
		probes[k] = append(group{&first}, g[1:]...)
	}
	if err := f.read(probes); err != nil {
		return nil, err
	}
	for k, p := range probes {
		if p[0].Status == Modelled {
			kept = append(kept, groups[k])
			continue
		}
		for _, n := range groups[k] {
			kept = append(kept, group{n})
		}
	}
	return kept, nil
}
