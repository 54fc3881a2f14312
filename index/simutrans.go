package index

import (
	"encoding/json"
	"strings"

	"pakbox/fact"
	"pakbox/simutrans"
)

// simutrans adds the objects of a file.
func (w *walker) simutrans(f *File, a *simutrans.Archive) {
	f.Game = text("Simutrans")
	for i, g := range a.Groups() {
		facts := g.Facts()
		o := SimObject{File: f.File, Object: int64(i)}
		fill(&o, g.Summary)
		fill(&o, facts)
		w.rows.SimObjects = append(w.rows.SimObjects, o)
		if o.Type == "vehicle" {
			w.vehicle(&o, facts)
		}
		for _, v := range facts {
			switch v.Name {
			case "type", "name", "copyright", "bytes", "descriptor_version", "extended_version":
				continue // of sim_objects
			}
			w.simField(&o, v)
		}
	}
}

func (w *walker) vehicle(o *SimObject, facts fact.Record) {
	v := SimVehicle{File: o.File, Object: o.Object, Name: o.Name}
	fill(&v, facts)
	for _, f := range facts {
		switch f.Name {
		case "waytype", "engine_type", "intro", "retire":
			set(fieldNamed(&v, f.Name), f.Words)
		case "weight":
			if t, ok := f.Value.(int64); ok && strings.HasSuffix(f.Words, " t") { // up to version 9
				kilos := 1000 * t
				v.Weight = &kilos
			}
		case "refers_to_good":
			v.Freight = &f.Value.([]string)[0] // there is no such fact without one
		}
	}
	w.rows.SimVehicles = append(w.rows.SimVehicles, v)
}

func (w *walker) simField(o *SimObject, v fact.Value) {
	row := SimField{File: o.File, Object: o.Object, Field: v.Name, Text: v.Text()}
	switch n := v.Value.(type) {
	case int64, int, json.Number:
		set(fieldNamed(&row, "value"), n)
	}
	w.rows.SimFields = append(w.rows.SimFields, row)
}
