package table

import (
	"fmt"
	"strings"

	"pakbox/archive"
)

// Moved is the kind of change for a thing that differs only in its place.
const Moved archive.ChangeKind = "moved"

// Changes compares the things on two maps. Two things of one kind at the same place count
// as a change; two things of one name at different places count as a move.
func Changes(x, y []Thing) (changes []archive.ValueChange) {
	gone, come := onOne(x, y)
	pair := func(kind archive.ChangeKind, key, what, say func(t *Thing) string) {
		at := map[string][]int{} // indices of the new things, by key
		for j, b := range come {
			if b != nil {
				at[key(b)] = append(at[key(b)], j)
			}
		}
		for i, a := range gone {
			if a == nil || len(at[key(a)]) == 0 {
				continue
			}
			j := at[key(a)][0]
			at[key(a)] = at[key(a)][1:]
			old, new := say(a), say(come[j])
			if old == new { // the words do not show the difference
				old, new = strings.Join(a.Row(), ","), strings.Join(come[j].Row(), ",")
			}
			changes = append(changes, archive.ValueChange{Kind: kind, Path: what(a), Old: old, New: new})
			gone[i], come[j] = nil, nil
		}
	}
	onSpot := func(t *Thing) string { return t.Kind + " at " + t.Place() }
	pair(archive.Changed, onSpot, onSpot, (*Thing).details)
	pair(Moved, (*Thing).what, (*Thing).what, (*Thing).where)
	for _, a := range gone {
		if a != nil {
			changes = append(changes, archive.ValueChange{Kind: archive.Removed, Path: a.what(), Old: a.where()})
		}
	}
	for _, b := range come {
		if b != nil {
			changes = append(changes, archive.ValueChange{Kind: archive.Added, Path: b.what(), New: b.where()})
		}
	}
	return changes
}

// onOne removes the things that are equal on both maps, and returns the rest.
func onOne(x, y []Thing) (gone, come []*Thing) {
	key := func(t *Thing) string { return strings.Join(t.Row(), "\x00") }
	on := map[string]int{}
	for i := range x {
		on[key(&x[i])]++
	}
	for i := range y {
		if k := key(&y[i]); on[k] > 0 {
			on[k]--
		} else {
			come = append(come, &y[i])
		}
	}
	for i := range x {
		if k := key(&x[i]); on[k] > 0 {
			on[k]--
			gone = append(gone, &x[i])
		}
	}
	return gone, come
}

// what returns the kind and name: block RoadTechStart.
func (t *Thing) what() string { return t.Kind + " " + t.Name }

// Place returns the place as text: 20 9 24 on the grid, 1.5 8 2 m off the grid.
func (t *Thing) Place() string {
	if t.Coord == nil {
		return t.Position.text() + " m"
	}
	return fmt.Sprintf("%d %d %d", t.Coord[0], t.Coord[1], t.Coord[2])
}

// where returns the place and the direction or angles.
func (t *Thing) where() string { return t.Place() + t.turn() }

// turn returns the direction or the angles.
func (t *Thing) turn() string {
	if t.Coord != nil {
		return fmt.Sprintf(", facing %d", *t.Direction)
	}
	return ", turned " + t.Rotation.text()
}

// details returns all values except the place.
func (t *Thing) details() string {
	text := t.Name + t.turn()
	for _, extra := range []struct {
		label string
		value *string
	}{{"skin", t.Skin}, {"waypoint", t.Waypoint}, {"by", t.Author}} {
		if extra.value != nil {
			text += ", " + extra.label + " " + *extra.value
		}
	}
	if t.Order != nil && *t.Order != 0 {
		text += fmt.Sprintf(", order %d", *t.Order)
	}
	if t.Scale != nil && *t.Scale != 1 {
		text += fmt.Sprintf(", scale %g", *t.Scale)
	}
	if t.Color != nil && *t.Color != 0 {
		text += fmt.Sprintf(", colour %d", *t.Color)
	}
	return text
}
