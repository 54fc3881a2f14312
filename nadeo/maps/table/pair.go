package table

// spot is the place of a thing, as a key for Go maps.
type spot struct {
	free bool
	at   Vector
}

func (t *Thing) spot() spot {
	if t.Coord != nil {
		return spot{at: Vector{float32(t.Coord[0]), float32(t.Coord[1]), float32(t.Coord[2])}}
	}
	return spot{true, *t.Position}
}

// agrees reports whether every value that the row t gives is equal in the thing p.
func (t *Thing) agrees(p *Thing) bool {
	free := t.Position != nil
	agree := t.Name == p.Name && t.spot() == p.spot() &&
		!differs(t.Color, p.Color) && !differs(t.Order, p.Order) && !differs(t.Scale, p.Scale) && !differs(t.Pivot, p.Pivot) &&
		!differs(t.Flags, p.Flags) && !differs(t.Ghost, p.Ghost) && !differs(t.Ground, p.Ground) &&
		(free || !differs(t.Direction, p.Direction)) && (!free || !differs(t.Rotation, p.Rotation))
	for _, text := range []struct{ given, shown *string }{{t.Skin, p.Skin}, {t.Waypoint, p.Waypoint}, {t.Author, p.Author}, {t.Collection, p.Collection}} {
		agree = agree && (text.given == nil || *text.given == orEmpty(text.shown))
	}
	return agree
}

// pair finds for each row the thing on the map that it changes. The result has the index
// of the thing, or -1 for a new thing. See [Table.Set] for the order of the passes.
func pair(rows []*row, shown []storage) []int {
	from := make([]int, len(rows))
	for i := range from {
		from[i] = -1
	}
	taken := make([]bool, len(shown))
	type key struct {
		name string
		spot spot
	}
	nameAndSpot := func(t *Thing) key { return key{t.Name, t.spot()} }
	for _, pass := range []struct {
		exact bool
		key   func(*Thing) key
	}{
		{true, nameAndSpot}, {false, nameAndSpot},
		{false, func(t *Thing) key { return key{spot: t.spot()} }},
		{false, func(t *Thing) key { return key{name: t.Name} }},
	} {
		left := map[key][]int{}
		for i := range shown {
			if !taken[i] {
				k := pass.key(&shown[i].Thing)
				left[k] = append(left[k], i)
			}
		}
		for i, r := range rows {
			if from[i] >= 0 {
				continue
			}
			k := pass.key(&r.Thing)
			for n, j := range left[k][:min(len(left[k]), most)] {
				if !pass.exact || r.agrees(&shown[j].Thing) {
					from[i], taken[j] = j, true
					copy(left[k][1:n+1], left[k][:n])
					left[k] = left[k][1:]
					break
				}
			}
		}
	}
	return from
}

// most limits how many things with one name at one place are compared with a row. Real
// maps have a few. The limit keeps hostile maps from taking forever.
const most = 64
