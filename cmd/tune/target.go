package main

import (
	"fmt"

	"polytune/internal/usage"
	"polytune/pipeline"
)

// oneDocument refuses several regions where one JSON document is to be
// printed, which describes one.
func oneDocument(all []*pipeline.Target) error {
	if len(all) > 1 {
		return usage.Mistake(fmt.Errorf("--json is about one region: %w", pipeline.SeveralRegions(all)))
	}
	return nil
}
