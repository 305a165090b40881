package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/pipeline/spaces"
	"polytune/report"
)

var updateSchemas = flag.Bool("update-schemas", false, "write docs/schemas anew")

// schemaFolder has a schema of JSON for each command that prints documents.
const schemaFolder = "../../docs/schemas"

// documentRuns are command lines by which every kind of document is printed, in their order: later
// ones read what earlier ones have measured. FILE is a program, RECIPE a recipe for it, and DB a database;
// of REFUSED one region is refused, and ILLEGAL is a recipe that is.
var documentRuns = map[string][]string{
	"":           {"FILE --param n=20 --effort quick --db DB", "FILE --param n=20 --dry-run --db DB", "REFUSED --param n=20 --dry-run --db DB"},
	"again":      {"FILE --param n=20 --effort quick --db DB"},
	"best":       {"FILE --param n=20 --any --db DB"},
	"check":      {"FILE --param n=7", "FILE --param n=7 --recipe ILLEGAL"},
	"compare":    {"DB", "DB --transfer this"},
	"deps":       {"FILE"},
	"explain":    {"FILE --param n=20 --counters"},
	"layers":     {"FILE"},
	"list":       {"gemm"},
	"machine":    {""},
	"merge":      {"OTHER DB"},
	"scan":       {"FILE"},
	"schedule":   {"FILE --recipe RECIPE"},
	"simulate":   {"FILE --param n=20 --seeds 1 --db DB"},
	"space":      {"FILE", "--bench gemver --levels 2", "FILE FILE"},
	"status":     {"--db DB"},
	"strategies": {""},
	"submit":     {"--kernels 2mm --scheduler lsf --print"},
	"transform":  {"FILE", "--bench gemver --partition 0-1-1-2", "FILE --recipe ILLEGAL"},
}

// typeSchemas are those of types that say themselves how they are written.
var typeSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[big.Int]():         {Type: "integer"},
	reflect.TypeFor[spaces.Estimate](): {Type: "number"},
	reflect.TypeFor[json.RawMessage](): {},
	// Loops have loops inside.
	reflect.TypeFor[[]report.NodeExplanation](): {Types: []string{"null", "array"}, Items: &jsonschema.Schema{Ref: "#/$defs/loop"}},
}

// schemaOf is a schema of documents of some types, one or a list of them.
func schemaOf(command string, types []reflect.Type) (*jsonschema.Schema, error) {
	schema := &jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema", Title: strings.TrimSpace("tune "+command) + " --json",
		Description: "One document, or the list of those of several regions.",
	}
	for _, t := range types {
		one, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas})
		if err != nil {
			return nil, fmt.Errorf("%v: %w", t, err)
		}
		one.Types = slices.DeleteFunc(one.Types, func(name string) bool { return name == "null" && len(one.Types) == 2 && t.Kind() == reflect.Pointer })
		if len(one.Types) == 1 {
			one.Type, one.Types = one.Types[0], nil
		}
		one.Required = slices.DeleteFunc(one.Required, func(name string) bool { return slices.Contains(behindPointers(t), name) })
		schema.AnyOf = append(schema.AnyOf, one)
	}
	schema.Defs = map[string]*jsonschema.Schema{"document": {AnyOf: schema.AnyOf}}
	if command == "explain" {
		loop, err := jsonschema.ForType(reflect.TypeFor[report.NodeExplanation](), &jsonschema.ForOptions{TypeSchemas: typeSchemas})
		if err != nil {
			return nil, err
		}
		schema.Defs["loop"] = loop
	}
	schema.AnyOf = []*jsonschema.Schema{{Ref: "#/$defs/document"}, {Type: "array", Items: &jsonschema.Schema{Ref: "#/$defs/document"}}}
	return schema, nil
}

// behindPointers are the names of the members of a document that it has from an embedded pointer, which
// may be nil.
func behindPointers(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || len(f.Index) < 2 || t.FieldByIndex(f.Index[:1]).Type.Kind() != reflect.Pointer {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// schemaFile is where the schema of a command is.
func schemaFile(folder, command string) string {
	return filepath.Join(folder, strings.TrimSuffix("tune-"+command, "-")+".schema.json")
}

// The schemas of docs/schemas are those of the types that commands print, and all that the commands
// print here is valid. (Scripts check all that they print, too: see TestMain.)
func TestSchemas(t *testing.T) {
	folder := t.TempDir()
	for _, variable := range testEnvironment(folder) {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	source := filepath.Join(folder, "sum.c")
	text := "void sum(int n, double a[n][n], double b[n][n])\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      b[i][j] = 2 * a[i][j] + b[i][j];\n#pragma endscop\n}\n"
	recipe := filepath.Join(folder, "sum.recipe")
	refused, illegal := filepath.Join(folder, "refused.c"), filepath.Join(folder, "illegal.recipe")
	for path, content := range map[string]string{
		source: text, recipe: "original\nparallel S0.i\n", illegal: "original\nparallel S0.x\n",
		refused: strings.ReplaceAll(text, "#pragma endscop", "#pragma endscop\n#pragma scop\n  for (int i = 0; i < n; i++)\n    goto out;\n#pragma endscop\nout:;"),
	} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { jsondoc.Observe = nil }()
	with := map[string]bool{}
	root := newRootCommand()
	for _, c := range append(root.Commands(), root) {
		if c.Flags().Lookup("json") != nil {
			with[commandName(c)] = true
		}
	}
	if known := slices.Sorted(maps.Keys(documentRuns)); !slices.Equal(known, slices.Sorted(maps.Keys(with))) {
		t.Fatalf("the commands with --json are %q, and the test runs %q", slices.Sorted(maps.Keys(with)), known)
	}
	for _, command := range slices.Sorted(maps.Keys(documentRuns)) {
		var types []reflect.Type
		jsondoc.Observe = func(document any) {
			for _, one := range documentsIn(document) {
				if kind := reflect.TypeOf(one); !slices.Contains(types, kind) {
					types = append(types, kind)
				}
			}
		}
		var printed []string
		for k, line := range documentRuns[command] {
			line = strings.NewReplacer("FILE", source, "RECIPE", recipe, "REFUSED", refused, "ILLEGAL", illegal, "DB", filepath.Join(folder, "a.db"), "OTHER", filepath.Join(folder, fmt.Sprintf("b%d.db", k))).Replace(line)
			words := append(strings.Fields(command+" "+line), "--json")
			var stdout, stderr bytes.Buffer
			if status := run(words, &stdout, &stderr); status != exit.OK && !slices.Contains(words, refused) && !slices.Contains(words, illegal) {
				t.Errorf("tune %s: exit status %d: %s", strings.Join(words, " "), status, &stderr)
			}
			if stdout.Len() > 0 {
				printed = append(printed, stdout.String())
			}
		}
		schema, err := schemaOf(command, types)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		compareSchema(t, command, schema)
		for _, document := range printed {
			if err := validDocument(schemaFile(schemaFolder, command), document); err != nil {
				t.Errorf("tune %s: %v", command, err)
			}
		}
	}
}

// documentsIn are the documents of a list, or the one.
func documentsIn(document any) []any {
	if list, is := document.([]any); is {
		return list
	}
	return []any{document}
}

// commandName is the name of a command, "" for tune itself.
func commandName(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	return c.Name()
}

// compareSchema compares a schema with the file, or writes that anew.
func compareSchema(t *testing.T, command string, schema *jsonschema.Schema) {
	t.Helper()
	text, err := json.MarshalIndent(schema, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	path := schemaFile(schemaFolder, command)
	if *updateSchemas {
		if err := errors.Join(os.MkdirAll(schemaFolder, 0o777), os.WriteFile(path, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, text) {
		t.Errorf("%s (%v) is not that of what tune %s prints; go test ./cmd/tune -run Schemas -update-schemas writes it", path, err, command)
	}
}

// validDocument says whether a document is valid by a schema in a file.
func validDocument(path, document string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// schemaVariable names the folder of schemas for the programs of scripts.
const schemaVariable = "TUNE_TEST_SCHEMAS"

// runChecked runs a command line, and checks the document that it prints with --json.
func runChecked(args []string) int {
	folder := os.Getenv(schemaVariable)
	if folder == "" || !slices.Contains(args, "--json") || slices.Contains(args, "--") {
		return run(args, os.Stdout, os.Stderr)
	}
	var printed bytes.Buffer
	status := run(args, io.MultiWriter(os.Stdout, &printed), os.Stderr)
	if printed.Len() == 0 {
		return status
	}
	found, _, err := newRootCommand().Find(args)
	if err != nil {
		return status
	}
	err = validDocument(schemaFile(folder, commandName(found)), printed.String())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "NOT VALID by the schema of docs/schemas: %v\n", err)
		return 99
	}
	return status
}
