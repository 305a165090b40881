package main

import (
	"fmt"
	"os"

	"polytune/internal/usage"
)

// keepSource refuses to write a program over the file that its regions stand in: they would be gone.
func keepSource(output string, args []string) error {
	written, err := os.Stat(output)
	if err != nil {
		return nil // it is made
	}
	for _, path := range args {
		if source, err := os.Stat(path); err == nil && os.SameFile(source, written) {
			return usage.Mistake(fmt.Errorf("-o %s is the source itself, whose region would be gone; name another file", output))
		}
	}
	return nil
}
