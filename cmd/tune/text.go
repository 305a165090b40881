package main

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// workingFolder is the current folder, "" where that cannot be found out.
func workingFolder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}

// writeDocuments writes one JSON document: the only one of the given, or the
// list of several.
func writeDocuments(w io.Writer, documents []any) error {
	if len(documents) == 1 {
		return writeJSON(w, documents[0])
	}
	return writeJSON(w, documents)
}

// writeJSON writes one JSON document, with the relations and code in it as
// they are.
func writeJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}
