package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keySet describes the valid keys: dotted paths where "*" stands for any name.
type keySet []string

// knownKeys are the keys of Settings, sections and leaves.
func knownKeys() keySet { return appendKeys(nil, "", reflect.TypeFor[Settings]()) }

func appendKeys(keys keySet, prefix string, t reflect.Type) keySet {
	for field := range t.Fields() {
		name := field.Tag.Get("mapstructure")
		if name == "-" {
			continue
		}
		keys = append(keys, prefix+name)
		switch field.Type.Kind() {
		case reflect.Struct:
			keys = appendKeys(keys, prefix+name+".", field.Type)
		case reflect.Map:
			keys = append(keys, prefix+name+".*")
			keys = appendKeys(keys, prefix+name+".*.", field.Type.Elem())
		}
	}
	return keys
}

func (k keySet) has(key string) bool {
	return slices.ContainsFunc(k, func(pattern string) bool { return matchKey(pattern, key) })
}

func (k keySet) isSection(key string) bool { return k.example(key) != "" }

// example is the first key below a section, or "".
func (k keySet) example(section string) string {
	for _, pattern := range k {
		if end := strings.LastIndexByte(pattern, '.'); end >= 0 && matchKey(pattern[:end], section) {
			return fillKey(pattern, section)
		}
	}
	return ""
}

func matchKey(pattern, key string) bool {
	want, have := strings.Split(pattern, "."), strings.Split(key, ".")
	return slices.EqualFunc(want, have, func(w, h string) bool { return w == "*" || w == h })
}

// nearest is the valid key with the smallest edit distance; names that the
// user chose are kept where the pattern has "*".
func (k keySet) nearest(key string) string {
	best, bestDistance := "", -1
	for _, pattern := range k {
		candidate := fillKey(pattern, key)
		if d := editDistance(candidate, key); bestDistance < 0 || d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

func fillKey(pattern, key string) string {
	parts, have := strings.Split(pattern, "."), strings.Split(key, ".")
	for i := range parts {
		if parts[i] == "*" && i < len(have) {
			parts[i] = have[i]
		}
	}
	return strings.ReplaceAll(strings.Join(parts, "."), "*", "NAME")
}

// checkKeys refuses a settings file with a key that no setting has.
func checkKeys(path string, text []byte) error {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(document.Content) == 0 {
		return nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: the file must hold lines of the form \"key: value\"", path, root.Line)
	}
	return checkMapping(path, "", root, knownKeys())
}

func checkMapping(path, prefix string, mapping *yaml.Node, known keySet) error {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		name, value := mapping.Content[i], mapping.Content[i+1]
		key := prefix + strings.ToLower(name.Value)
		if strings.Contains(name.Value, ".") || !known.has(key) {
			return fmt.Errorf("%s:%d: no setting %q; did you mean %q?", path, name.Line, key, known.nearest(key))
		}
		if !known.isSection(key) {
			continue
		}
		if value.Kind != yaml.MappingNode {
			return fmt.Errorf("%s:%d: %s is a group of settings, such as %q", path, value.Line, key, known.example(key))
		}
		if err := checkMapping(path, key+".", value, known); err != nil {
			return err
		}
	}
	return nil
}

// editDistance is the Levenshtein distance of two texts in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitution := diagonal
			if a[i-1] != b[j-1] {
				substitution++
			}
			diagonal = row[j]
			row[j] = min(substitution, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
