package index

import (
	"encoding/json"
	"strings"

	"pakbox/fact"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
)

// simutrans adds the rows of the objects in a file.
func (w *walker) simutrans(f *file, a *simutrans.Archive) {
	f.set("game", "Simutrans")
	for i, g := range a.Groups() {
		facts := g.Facts()
		row := simObjectsTable.rowOf(f)
		simObjectsTable.set(row, "object", i)
		simObjectsTable.fill(row, g.Summary)
		simObjectsTable.fill(row, facts)
		w.rows.AddRow(simObjectsTable, row)
		if n := a.Objects()[i].Node; n.Type == node.VHCL {
			w.vehicle(f, i, n, facts)
		}
		for _, v := range facts {
			if _, ok := simObjectsTable.at()[v.Name]; !ok {
				w.rows.add(simFieldsTable, f.key, i, v.Name, numberOf(v.Value), v.Text())
			}
		}
	}
}

// numberOf returns a value that is a number; nil for other values.
func numberOf(value any) any {
	switch value.(type) {
	case int64, json.Number:
		return value
	}
	return nil
}

// vehicle adds the row of a vehicle. The columns for gear and weight are older than the
// facts of these names and keep their own units.
func (w *walker) vehicle(f *file, object int, n *node.Node, facts fact.Record) {
	row := simVehiclesTable.rowOf(f)
	if record, err := simutrans.Vehicle(n); err == nil {
		simVehiclesTable.fill(row, record)
		for _, side := range []string{"prev", "next"} {
			couplings, _ := record.Get(side)
			names, _ := couplings.Value.([]string)
			for i, name := range names {
				w.rows.add(simCouplingsTable, f.key, object, side, i, name)
			}
		}
	}
	simVehiclesTable.set(row, "object", object)
	for _, v := range facts {
		switch n, _ := v.Value.(int64); v.Name {
		case "name", "copyright", "gear":
			simVehiclesTable.set(row, v.Name, v.Value)
		case "weight":
			if strings.HasSuffix(v.Words, " t") { // up to version 9 of the node
				n *= 1000
			}
			simVehiclesTable.set(row, "weight", n)
		}
	}
	w.rows.AddRow(simVehiclesTable, row)
}
