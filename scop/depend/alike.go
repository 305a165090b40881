package depend

import "polytune/scop/mark"

// alike is what the proof of copies asks of a dependence, besides its instances.
type alike struct {
	source, target int
	array          string
	kind           Kind
	// from and to are the references where some boxes have the elements of some references alone.
	from, to string
	// overwrites says that the target writes and does not read.
	overwrites bool
}

// alikeOf are dependences of which a proof of the copies that marks say asks the same, together;
// each list has the union first.
func (g *Graph) alikeOf(dependences []*Dependence, marks *mark.Table) (groups [][]*Dependence) {
	places, apart := map[alike]int{}, arraysApart(marks)
	reference := func(statement, access int) string {
		s := &g.Model.Statements[statement]
		if !apart[s.Statement.Accesses[access].Array] {
			return ""
		}
		return g.Model.Program.Reference(s, access)
	}
	for _, d := range dependences {
		target := g.Model.Statements[d.Target].Statement.Accesses[d.TargetAccess]
		key := alike{d.Source, d.Target, g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array, d.Kind, reference(d.Source, d.SourceAccess), reference(d.Target, d.TargetAccess), target.Write && !target.Read}
		place, is := places[key]
		if !is {
			places[key] = len(groups)
			union := &Dependence{Source: d.Source, Target: d.Target, Kind: d.Kind, SourceAccess: d.SourceAccess, TargetAccess: d.TargetAccess, Relation: d.Relation}
			groups = append(groups, []*Dependence{union, d})
			continue
		}
		groups[place][0].Relation = groups[place][0].Relation.Union(d.Relation)
		groups[place] = append(groups[place], d)
	}
	for _, group := range groups {
		group[0].Relation = group[0].Relation.Coalesce()
	}
	return groups
}

// arraysApart are the arrays of which some boxes have what some references touch, and others use
// the array as if there were none.
func arraysApart(marks *mark.Table) map[string]bool {
	apart := map[string]bool{}
	for _, m := range *marks {
		if box, is := m.(mark.Box); is && box.References != "" {
			apart[box.Array] = true
		}
	}
	return apart
}

// allThreads checks all dependences: those of two statements together, and where their elements may
// be in copies those of one kind on one array, and by the same references where these have copies of
// their own; one by one to say which is not kept.
func (k *kernel) allThreads() error {
	if len(k.boxes) == 0 {
		return k.all(k.checkThreads)
	}
	for _, group := range k.alikeOf(k.Dependences, k.marks) {
		err := k.checkThreads(group[0])
		for _, d := range group[1:] {
			if err == nil {
				break
			}
			if single := k.checkThreads(d); single != nil {
				return single
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
