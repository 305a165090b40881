package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// actionFolder has the step of a workflow and a workflow that takes it.
const actionFolder = "../../packaging/action"

// action is a composite one, as workflows read it: inputs by name, and steps for a shell.
type action struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Runs struct {
		Using string
		Steps []struct{ Shell, Run string }
	}
}

// readAction reads the repository's own.
func readAction() (a action, err error) {
	text, err := os.ReadFile(filepath.Join(actionFolder, "action.yml"))
	if err != nil {
		return a, err
	}
	return a, yaml.Unmarshal(text, &a)
}

// givenInput is where a step has the value of an input.
var givenInput = regexp.MustCompile(`\$\{\{ *inputs\.([\w-]+) *\}\}`)

// step is the text of the only step with inputs put in; those that are not given have their defaults.
func (a action) step(given map[string]string) (string, error) {
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 1 || a.Runs.Steps[0].Shell != "bash" {
		return "", fmt.Errorf("the action is not one step for bash")
	}
	for name := range given {
		if _, is := a.Inputs[name]; !is {
			return "", fmt.Errorf("the action has no input %s; it has %v", name, slices.Sorted(maps.Keys(a.Inputs)))
		}
	}
	values := maps.Clone(given)
	for name, input := range a.Inputs {
		if _, is := given[name]; is {
			continue
		}
		if input.Required {
			return "", fmt.Errorf("the action needs %s", name)
		}
		values[name] = input.Default
	}
	return givenInput.ReplaceAllStringFunc(a.Runs.Steps[0].Run, func(place string) string {
		return values[givenInput.FindStringSubmatch(place)[1]]
	}), nil
}

// scriptAction writes the step of the action as a workflow would run it:
//
//	action FILE INPUT=VALUE...
func scriptAction(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: action FILE INPUT=VALUE...")
	}
	given := map[string]string{}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		given[name] = value
	}
	a, err := readAction()
	ts.Check(err)
	text, err := a.step(given)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// TestExampleOfAction reads the workflow that is shown: the action has all its inputs.
func TestExampleOfAction(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(actionFolder, "example.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Uses != "./packaging/action" {
				continue
			}
			taken++
			if _, err := a.step(step.With); err != nil {
				t.Error(err)
			}
		}
	}
	if taken != 1 {
		t.Errorf("the workflow takes the action %d times", taken)
	}
}
