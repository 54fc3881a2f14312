package decompile

import (
	"fmt"
	"strconv"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

func (w *writer) vehicle(d *desc.Vehicle) {
	w.set("waytype", d.Waytype)
	w.set("engine_type", d.Engine)
	w.set("speed", int64(d.TopSpeed))
	w.set("power", int64(d.Power))
	w.set("gear", percent(int64(d.Gear), 64))
	if d.Version.Standard >= 10 {
		w.set("weight", strconv.FormatFloat(float64(d.WeightKilos)/1000, 'f', -1, 64))
	} else {
		w.set("weight", int64(d.Weight))
	}
	if d.Version.Standard >= 9 {
		w.set("axle_load", int64(d.AxleLoad))
		w.set("loading_time", int64(d.LoadingTime))
		w.set("fixed_cost", int64(d.FixedCost))
	}
	w.set("length", d.Length)
	w.set("payload", d.Capacity)
	w.set("cost", int64(d.Price))
	w.set("runningcost", int64(d.RunningCost))
	w.voice(d.Sound)
	w.dates(d.Intro, d.Retire)
	for _, smoke := range xrefs(w.object, node.SMOK) {
		if smoke != "" {
			w.set("smoke", smoke)
		}
	}
	goods := xrefs(w.object, node.GOOD)
	if len(goods) == 0 {
		w.fail("a vehicle without freight")
		return
	}
	w.set("freight", goods[0])
	w.couplings(d)
	w.blank()
	w.vehicleImages(d, goods[1:])
}

func (w *writer) couplings(d *desc.Vehicle) {
	names := xrefs(w.object, node.VHCL)
	if int64(len(names)) != d.Prev+d.Next {
		w.fail("a vehicle with %d couplings that says it has %d", len(names), d.Prev+d.Next)
		return
	}
	for i, name := range names {
		side, j := "prev", i
		if int64(i) >= d.Prev {
			side, j = "next", i-int(d.Prev)
		}
		if name == "" {
			name = "none"
		}
		w.set(fmt.Sprintf("constraint[%s][%d]", side, j), name)
	}
}

func (w *writer) vehicleImages(d *desc.Vehicle, freights []string) {
	all := lists(w.object)
	if len(all) == 0 || len(all) > 2 {
		w.fail("a vehicle with %d lists of images", len(all))
		return
	}
	w.all(all[0], from(indexed("emptyimage", vocab.Directions, "")))
	if len(all) == 1 {
		return
	}
	if all[1].Type == node.IMG1 {
		w.all(all[1], from(indexed("freightimage", vocab.Directions, "")))
		return
	}
	if len(freights) == 0 || len(all[1].Children) > len(vocab.Directions) {
		w.fail("a vehicle with freight images but no freight")
		return
	}
	for i, good := range freights[:len(freights)-1] { // the last is the default
		w.set(fmt.Sprintf("freightimagetype[%d]", i), good)
	}
	for i := range int(d.FreightImageTypes) {
		w.sheet.newRow()
		for j, list := range all[1].Children {
			if i < len(list.Children) {
				w.image(fmt.Sprintf("freightimage[%d][%s]", i, vocab.Directions[j]), list.Children[i])
			}
		}
	}
}

func (w *writer) cityCar(d *desc.CityCar) {
	w.set("distributionweight", d.Weight)
	w.set("speed", int64(d.TopSpeed)/16)
	w.dates(d.Intro, d.Retire)
	w.blank()
	w.some(child(w.object, node.IMG1), indexed("image", vocab.Directions, ""), "")
}

func (w *writer) pedestrian(d *desc.Pedestrian) {
	w.set("distributionweight", d.Weight)
	if d.Version.Standard >= 1 {
		w.set("offset", d.Offset)
	}
	if d.Version.Standard >= 2 {
		w.dates(d.Intro, d.Retire)
	}
	if list := child(w.object, node.IMG1); list != nil {
		w.blank()
		w.some(list, indexed("image", vocab.Directions, ""), "")
		return
	}
	w.set("steps_per_frame", d.StepsPerFrame)
	w.blank()
	if grid := child(w.object, node.IMG2); grid != nil {
		// Lists behind the eighth are the empty ones makeobj adds.
		for i, list := range grid.Children[:min(len(grid.Children), len(vocab.Directions))] {
			w.all(list, numbered("image["+vocab.Directions[i]+"]"))
		}
	}
}
