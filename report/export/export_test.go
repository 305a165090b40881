package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"polytune/internal/storetest"
	"polytune/report"
	"polytune/store"
)

// filled is a database with a session of every kind of trial.
func filled(t *testing.T) *store.Store {
	t.Helper()
	db := storetest.Open(t)
	session := storetest.Session{Kernel: "suite/one", Size: "large", Machine: "alpha", Variants: []storetest.Variant{
		{ID: "0-1.aaaaaaaa", Partition: "0-1", Recipe: "classes {S0} {S1}\n", Seconds: 0.25},
		{ID: "0-0.bbbbbbbb", Partition: "0-0", Recipe: "classes {S0 S1}\n", Seconds: 0.5, Rounds: 1},
	}}
	for status := range t4Validity {
		if status != store.OK && status != store.DeviceFailed {
			session.Variants = append(session.Variants, storetest.Variant{ID: "0-0." + string(status), Partition: "0-0", Status: status, Detail: "<it> & \"that\""})
		}
	}
	id := session.Record(t, db)
	if err := db.RecordCandidates(t.Context(), id, store.Candidate{Partition: "0-1", Setting: "tile=wide vector=off", Variant: "0-1.aaaaaaaa"}); err != nil {
		t.Fatal(err)
	}
	return db
}

// The document of T4 is valid by the schema of its makers, and has what Kernel Tuner's own have.
func TestT4(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := WriteT4(t.Context(), &out, report.Selection{}, filled(t)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "t4-results-schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(out.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Error(err)
	}
	var document t4Document
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	found := map[string]t4Result{}
	for _, r := range document.Results {
		if len(r.Configuration) != 3 || r.Configuration["tile"] == "" || r.Configuration["vector"] == "" {
			t.Errorf("not all axes: %v", r.Configuration)
		}
		if r.Measurements[0].Name != "time" || r.Objectives[0] != "time" {
			t.Errorf("no time in %+v", r)
		}
		found[r.Measurements[len(r.Measurements)-1].Value.(string)] = r
	}
	best, timeout := found["0-1.aaaaaaaa"], found["0-0.timeout"]
	if best.Configuration["tile"] != "wide" || best.Configuration["partition"] != "0-1" || best.Invalidity != "correct" || best.Correctness != 1 || len(best.Times.Runtimes) != 11 || best.Times.Runtimes[0] != 250 {
		t.Errorf("%+v", best)
	}
	if timeout.Invalidity != "timeout" || timeout.Correctness != 0 || timeout.Measurements[0].Value != "" || timeout.Configuration["tile"] != unchosen {
		t.Errorf("%+v", timeout)
	}
	if found["0-0.wrong-result"].Invalidity != "correctness" || found["0-0.illegal"].Invalidity != "constraints" || found["0-0.crashed"].Invalidity != "runtime" {
		t.Error("the words for failures are others")
	}
}

// Every line has the same columns, and a value of the same type or null.
func TestJSONLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := WriteJSONLines(t.Context(), &out, report.Selection{}, filled(t)); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range lines {
		var columns map[string]any
		if err := json.Unmarshal([]byte(line), &columns); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(types) > 0 && len(columns) != len(types) {
			t.Errorf("%d columns instead of %d: %s", len(columns), len(types), line)
		}
		for name, value := range columns {
			kind := ""
			switch value.(type) {
			case nil:
			case string:
				kind = "string"
			case bool:
				kind = "bool"
			case float64:
				kind = "number"
			case []any:
				kind = "list"
			default:
				t.Errorf("%s is a %T", name, value)
			}
			if known := types[name]; known != "" && kind != "" && known != kind {
				t.Errorf("%s is a %s and a %s", name, known, kind)
			}
			if kind != "" || types[name] == "" {
				types[name] = kind
			}
		}
	}
	if len(lines) != 3+len(t4Validity)-2 || types["speedup"] != "number" || types["sample_seconds"] != "list" || types["joules"] != "" {
		t.Errorf("%d lines, %v", len(lines), types)
	}
}
