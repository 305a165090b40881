package report

import "strings"

// Title is how people call the machine: the configured name, else the ID.
func (m Machine) Title() string {
	if m.Name != "" {
		return m.Name
	}
	return m.ID
}

// Title is the compiler with its version.
func (t Toolchain) Title() string {
	if title := strings.TrimSpace(t.Name + " " + t.Version); title != "" {
		return title
	}
	return t.ID
}

// label names the places: by their machines alone where these differ, with the
// compiler where one machine has several, with IDs where the names are the same.
func label(places []Place) {
	machines := func(p Place) string { return p.Machine.Title() + p.onText() }
	compilers := func(p Place) string { return p.Machine.Title() + ", " + p.Toolchain.Title() + p.onText() }
	exact := func(p Place) string {
		return p.Machine.Title() + " " + shortID(p.Machine.ID) + ", " + p.Toolchain.Title() + " " + shortID(p.Toolchain.ID) + p.onText()
	}
	chosen := exact
	for _, text := range []func(Place) string{machines, compilers} {
		if distinct(places, text) {
			chosen = text
			break
		}
	}
	for i := range places {
		places[i].Label = chosen(places[i])
	}
}

// onText names the target, the device and what was compared, "" for the time on processors.
func (p Place) onText() string {
	if p.On.Text() == "" {
		return ""
	}
	return ", " + p.On.Text()
}

func distinct(places []Place, text func(Place) string) bool {
	seen := map[string]bool{}
	for _, p := range places {
		seen[text(p)] = true
	}
	return len(seen) == len(places)
}
