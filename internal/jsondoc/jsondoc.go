// Package jsondoc writes the JSON documents that commands print.
package jsondoc

import (
	"encoding/json"
	"io"
)

// Observe, if not nil, is told of each document: tests of schemas see what commands print.
var Observe func(document any)

// WriteAll writes one JSON document: the only one of the given, or the
// list of several.
func WriteAll(w io.Writer, documents []any) error {
	if len(documents) == 1 {
		return Write(w, documents[0])
	}
	return Write(w, documents)
}

// Write writes one JSON document, with the relations and code in it as
// they are.
func Write(w io.Writer, document any) error {
	if Observe != nil {
		Observe(document)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}
