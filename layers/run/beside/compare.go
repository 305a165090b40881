package beside

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/layers/run"
	"polytune/scop"
)

// Run is one call of the function: its sizes, and what memory had in front of it and behind it.
type Run struct {
	Sizes         map[string]int64
	Before, After map[string]*run.Array
}

// Read reads what Main's program prints.
func Read(printed []byte) (list []Run, err error) {
	for line := range strings.Lines(string(printed)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "size" && (len(list) == 0 || len(fields) < 4) {
			return nil, fmt.Errorf("the line %.60q is none of a call", line)
		}
		switch fields[0] {
		case "size":
			one := Run{map[string]int64{}, map[string]*run.Array{}, map[string]*run.Array{}}
			for k := 1; k+1 < len(fields); k += 2 {
				if one.Sizes[fields[k]], err = strconv.ParseInt(fields[k+1], 10, 64); err != nil {
					return nil, err
				}
			}
			list = append(list, one)
		case "before", "after":
			of := list[len(list)-1].Before
			if fields[0] == "after" {
				of = list[len(list)-1].After
			}
			if of[fields[1]], err = array(fields[2:]); err != nil {
				return nil, fmt.Errorf("%s: %w", fields[1], err)
			}
		}
	}
	return list, nil
}

// array reads the number of extents, these, and the bytes behind a point.
func array(fields []string) (*run.Array, error) {
	count, err := strconv.Atoi(fields[0])
	if err != nil || len(fields) != count+2 {
		return nil, fmt.Errorf("%d fields are no array of %s dimensions", len(fields), fields[0])
	}
	a := &run.Array{}
	for _, text := range fields[1 : 1+count] {
		extent, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		a.Extents = append(a.Extents, extent)
	}
	a.Bytes, err = hex.DecodeString(strings.TrimPrefix(fields[1+count], "."))
	return a, err
}

// Compare evaluates Layer I from what was in front of a call. The text says which element has other
// bits than the C left there; "" for none.
func (r *Run) Compare(m *scop.Model, options run.Options) (string, error) {
	got, err := run.Evaluate(m, r.Sizes, r.Before, options)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(r.After)) {
		a, want := m.Program.Array(name), r.After[name]
		if a == nil || bytes.Equal(got[name].Bytes, want.Bytes) {
			continue
		}
		at := 0
		for got[name].Bytes[at] == want.Bytes[at] {
			at++
		}
		at -= at % a.Size
		return fmt.Sprintf("element %d of %s is %x in Layer I, and %x in C, at %v", at/a.Size, name, got[name].Bytes[at:at+a.Size], want.Bytes[at:at+a.Size], r.Sizes), nil
	}
	return "", nil
}
