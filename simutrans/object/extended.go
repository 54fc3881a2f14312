package object

import "strings"

// The kinds of fields that Simutrans-Extended adds, and how its sources say
// them.

func init() {
	for name, k := range map[string]*kind{
		"constraints": {read: readConstraints, write: writeConstraints},
		"groups":      {read: readGroups, write: writeGroups},
		"regions":     {read: readRegions, write: writeRegions},
		"method":      workingMethods.kind(readMethod),
		"extengine":   extendedEngines.kind(readExtendedEngine),
		"extplacement": extendedPlacements.kind(func(b *Builder, f said) int64 {
			return b.placement(f, extendedPlacements)
		}),
		"mask":     {write: func(w *Writer, f said, v int64) { w.Set(f.word(), key("0x%X", v)) }},
		"plustwo":  {read: func(b *Builder, f said) int64 { return readInt(b, f) + 2 }, write: func(w *Writer, f said, v int64) { w.Set(f.word(), v-2) }},
		"atmost2":  {read: func(b *Builder, f said) int64 { return min(readInt(b, f), 2) }},
		"axles":    {unit: "t", read: readAxleLoad},
		"boarding": byWaytype("ms", map[int64]int64{track: 4000, monorail: 4000, maglev: 4000, narrowgauge: 4000, water: 20000, air: 30000}, 2000),
		"airdrag": byWaytype("", map[int64]int64{track: 160, tram: 160, monorail: 160, narrowgauge: 120, water: 2500,
			maglev: 145, air: 100}, 15),
		"rolling": byWaytype("", map[int64]int64{track: 15, monorail: 15, tram: 60, narrowgauge: 17, air: 10, water: 10, maglev: 13}, 90),
		"wear":    byWaytype("", map[int64]int64{road: 100000000}, 4000000000),
		"monthlywear": {read: func(b *Builder, f said) int64 {
			def := f.body.Int("wear_capacity") / 600
			if f.body.Int("waytype") == water {
				def = 0
			}
			return b.Int(f.word(), def)
		}},
	} {
		kinds[name] = k
	}
}

// byWaytype is a number whose default depends on the way.
func byWaytype(unit string, defaults map[int64]int64, other int64) *kind {
	return &kind{unit: unit, read: func(b *Builder, f said) int64 {
		def, ok := defaults[f.body.Int("waytype")]
		if !ok {
			def = other
		}
		return b.Int(f.word(), def)
	}}
}

var (
	extendedEngines = names{
		0: "steam", 1: "diesel", 2: "electric", 3: "bio", 4: "sail", 5: "fuel_cell", 6: "hydrogene", 7: "battery",
		8: "petrol", 9: "turbine", unknownEngine: "unknown",
	}
	extendedPlacements = names{
		0: "land", 1: "water", 2: "city", 3: "river", 4: "shore", 5: "forest", 6: "river_city", 7: "shore_city",
	}
	workingMethods = names{
		0: "drive_by_sight", 1: "time_interval", 2: "absolute_block", 3: "token_block", trackCircuitBlock: "track_circuit_block",
		5: "cab_signalling", 6: "moving_block", 7: "one_train_staff", 8: "time_interval_with_telegraph",
	}
)

const unknownEngine, trackCircuitBlock = 255, 4

func readExtendedEngine(b *Builder, f said) int64 {
	v, said, ok := b.word(f.word(), extendedEngines)
	if ok {
		return v
	}
	if said != "" && said != "none" {
		b.Warn(f.word(), didYouMean(said, extendedEngines.list()), "there is no engine type %q; it counts as unknown", said)
	}
	return unknownEngine
}

func readMethod(b *Builder, f said) int64 {
	v, said, ok := b.word(f.word(), workingMethods)
	if ok {
		return v
	}
	if said != "" {
		b.Warn(f.word(), didYouMean(said, workingMethods.list()), "there is no working method %q; track_circuit_block is taken", said)
	}
	return trackCircuitBlock
}

// readAxleLoad reads the load of an axle, which is else the weight over the
// axles.
func readAxleLoad(b *Builder, f said) int64 {
	axles := int64(2)
	switch f.body.Int("waytype") {
	case water, maglev:
		axles = 1
	}
	axles = max(b.Int("axles", axles), 1)
	return b.Int(f.word(), f.body.Int("weight")/1000/axles)
}

// readConstraints reads a set of the kinds of ways, each named by one of eight
// keys.
func readConstraints(b *Builder, f said) (set int64) {
	const kinds = 8
	for i := range kinds {
		if v := b.Int(key("%s[%d]", f.word(), i), kinds); v >= 0 && v < kinds {
			set |= 1 << v
		}
	}
	return set
}

func writeConstraints(w *Writer, f said, v int64) {
	n := 0
	for bit := range 8 {
		if v>>bit&1 != 0 {
			w.Set(key("%s[%d]", f.word(), n), bit)
			n++
		}
	}
}

func readGroups(b *Builder, f said) int64 { return b.clusters(f.word()) }

func writeGroups(w *Writer, f said, v int64) {
	if v != 0 {
		w.Set(f.word(), clusterList(v))
	}
}

// readRegions reads a set of numbers from 0; without one it is all of them.
func readRegions(b *Builder, f said) (set int64) {
	if !b.Has(f.word()) {
		return 0xFFFF
	}
	for _, n := range b.Ints(f.word()) {
		if n >= 0 && n < 16 {
			set |= 1 << n
		} else {
			b.Warn(f.word(), "", "there is no region %d; they are 0 to 15", n)
		}
	}
	return set
}

func writeRegions(w *Writer, f said, v int64) {
	if v == 0xFFFF {
		return
	}
	var list []string
	for bit := range 16 {
		if v>>bit&1 != 0 {
			list = append(list, key("%d", bit))
		}
	}
	w.Set(f.word(), strings.Join(list, ","))
}
