package decompile

import (
	"fmt"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

// small writes the objects that need a few lines only.
func (w *writer) small(d desc.Descriptor) {
	switch d := d.(type) {
	case *desc.Good:
		w.good(d)
	case *desc.Sound:
		w.set("sound_nr", d.Number)
		if name := d.File[:max(len(d.File)-1, 0)]; name != "" {
			w.set("sound_name", name)
		}
	case *desc.Tree:
		w.set("climates", climateWords(d.Climates))
		w.set("distributionweight", d.Weight)
		w.set("seasons", d.Seasons)
		w.blank()
		w.grid(numbered("image"))
	case *desc.GroundObject:
		w.groundObject(d)
	case *desc.Opaque:
		w.blank()
		if child(w.object, node.IMG2) != nil {
			w.grid(numbered("image"))
			return
		}
		w.all(child(w.object, node.IMG1), numbered("image"))
	default:
		w.fail("a %s is not known as an object", w.object.Type)
	}
}

func (w *writer) good(d *desc.Good) {
	w.set("value", int64(d.Value))
	w.set("catg", d.Category)
	w.set("speed_bonus", d.SpeedBonus)
	w.set("weight_per_unit", int64(d.Weight))
	w.set("mapcolor", d.Color)
	if len(w.object.Children) > 2 {
		w.set("metric", w.object.Children[2].Text())
	}
}

func (w *writer) groundObject(d *desc.GroundObject) {
	w.set("climates", climateWords(d.Climates))
	w.set("distributionweight", d.Weight)
	w.set("seasons", d.Seasons)
	w.set("trees_on_top", d.TreesOnTop)
	w.set("cost", int64(d.Price))
	w.set("waytype", d.Waytype)
	w.set("speed", int64(d.Speed))
	w.blank()
	if d.Speed > 0 {
		w.grid(from(indexed("image", vocab.Directions, "")))
		return
	}
	w.grid(numbered("image"))
}

// grid writes the images of an IMG2 child: row[0], row[1], …
func (w *writer) grid(row func(i int) string) {
	grid := child(w.object, node.IMG2)
	if grid == nil {
		return
	}
	for i, list := range grid.Children {
		w.all(list, func(j int) string { return fmt.Sprintf("%s[%d]", row(i), j) })
	}
}
