package nadeo

import (
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
)

// NewFacts are new values of a map's facts.
type NewFacts struct {
	Facts []string `json:"facts" arg:"" value:"FACT=VALUE" doc:"facts by the names that info gives them: mood=Sunset"`
}

// FactsSet is the report about new values.
type FactsSet struct {
	Facts []FactSet `json:"facts" doc:"facts that changed"`
}

// FactSet is a fact that changed.
type FactSet struct {
	Fact string `json:"fact" doc:"name of the fact"`
	Old  any    `json:"old" doc:"value before"`
	New  any    `json:"new" doc:"value after"`
}

// SetMapFacts is the change of facts of a map by their names.
var SetMapFacts = changeMap("map.set", "changes facts of a map in all places that state them", func(m *maps.Map, p NewFacts, r *question.Revision) (*FactsSet, error) {
	list, err := ParseFacts(p.Facts)
	if err != nil {
		return nil, err
	}
	before := maps.Facts.Of(m)
	for _, s := range list {
		if err := maps.Facts.Set(m, s.Path, s.Value); err != nil {
			return nil, inFact(err, s.Path)
		}
	}
	r.Words = FactChanges
	done := &FactsSet{Facts: []FactSet{}}
	eachFactChange(before, maps.Facts.Of(m), func(was, is fact.Value) {
		done.Facts = append(done.Facts, FactSet{is.Name, was.Value, is.Value})
	})
	if _, isLapRace := m.Laps(); !isLapRace && slices.ContainsFunc(done.Facts, func(f FactSet) bool { return f.Fact == "laps" }) {
		r.Note("the number of laps counts only in a race with laps; is_lap_race=yes makes it one")
	}
	return done, nil
}).Labelled("Facts")

// ParseFacts reads assignments of the form FACT=VALUE, and rejects facts that cannot be
// set.
func ParseFacts(args []string) ([]archive.Assignment, error) {
	if len(args) == 0 {
		return nil, fault.Usagef("no fact is given").Hint("write FACT=VALUE; facts are %s", strings.Join(maps.Facts.Settable(), ", "))
	}
	list := make([]archive.Assignment, len(args))
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			return nil, fault.Usagef("%q is not of the form FACT=VALUE", arg)
		}
		if err := maps.Facts.CheckSet(name); err != nil {
			return nil, err
		}
		list[i] = archive.Assignment{Path: name, Value: value}
	}
	return list, nil
}

// inFact adds the name of the fact to an error about its value.
func inFact(err error, name string) error {
	err = fault.System(err)
	e := fault.Wrap(fault.KindOf(err), err, "")
	e.Field = name
	return e
}

// FactChanges lists the facts that differ between two versions of a map file.
func FactChanges(before, after []byte) (changes []archive.ValueChange, err error) {
	var both [2]fact.Record
	for i, data := range [][]byte{before, after} {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return nil, err
		}
		m, err := maps.Of(f)
		if err != nil {
			return nil, err
		}
		both[i] = maps.Facts.Of(m)
	}
	eachFactChange(both[0], both[1], func(was, is fact.Value) {
		changes = append(changes, archive.ValueChange{Kind: archive.Changed, Path: is.Name, Old: factText(was), New: factText(is)})
	})
	return changes, nil
}

// eachFactChange calls found for each fact that differs between two records of one table.
func eachFactChange(before, after fact.Record, found func(was, is fact.Value)) {
	for _, is := range after {
		was, ok := before.Get(is.Name)
		if ok && is.Name != "" && is.Kind.Scalar() && was.Value != is.Value {
			found(was, is)
		}
	}
}

// factText is the value of a fact with its colour codes.
func factText(v fact.Value) string {
	if text, ok := v.Value.(string); ok {
		return text
	}
	return v.Text()
}
