package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.GOOD, Word: "good", Versions: since12(3, 4).extended(3, 1),
		About: "A good that factories make and need, or passengers or mail.",
		Fields: `
			value            amount  value                -- What the transport of a unit pays.
			category         int     catg                 -- The category of freight; 0 is a category of its own.
			speed_bonus      int     speed_bonus          -- How much more a fast transport pays, in percent.
			weight_per_unit  kg      weight_per_unit=100  -- The weight of a unit.
			color            int     mapcolor=255         -- The colour in lists and on the map; 255 lets the game choose.
			.  text  metric  -- The unit, such as t or bags.`,
		Extended: `
			.  int  number_of_classes=1           -- How many classes of passengers or mail there are.
			.  int  class_revenue_percent[0]=100  -- What a class pays, in percent of the value.
			.  int  value[0]                      -- What a unit pays in a stage of distances.
			.  int  to_distance[0]                -- The distance up to which the stage goes.`,
		Bodies: []string{
			"0-4: value:u16,i64@4 category:u16,u8@3 speed_bonus:u16@1 weight_per_unit:u16@2 color:u8@3",
			"x3.1: value:u16 category:u8 speed_bonus:u16 weight_per_unit:u16 color:u8 classes(counter):u8 stages(counter):u8" +
				" stage[stages]{distance value}:u16 class_revenue_percent[classes]:u16",
		},
		Build: func(b *Builder) *node.Node {
			children := append(b.nameAndCopyright(), node.NewText(b.Get("metric")))
			d := b.read(node.GOOD, "")
			if d.Version.IsExt {
				b.fares(d)
			}
			return b.node(node.GOOD, d, children...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.fares(d)
			if len(w.object.Children) > 2 {
				w.Set("metric", w.object.Children[2].Text())
			}
		},
	})
}

// fares reads the payments by distance and class in Extended.
func (b *Builder) fares(d *Body) {
	classes := b.Int("number_of_classes", 1)
	if classes < 0 || classes > 255 {
		b.Fail("number_of_classes", "", "%d is not between 0 and 255", classes)
		return
	}
	var percents, stages []int64
	for i := range classes {
		percents = append(percents, b.Int(key("class_revenue_percent[%d]", i), 100))
	}
	distance := int64(0)
	for i := 0; b.IsSet(key("value[%d]", i)); i++ { // a key without a value counts too
		distance = b.Int(key("to_distance[%d]", i), distance)
		stages = append(stages, distance, b.Int(key("value[%d]", i), 0))
	}
	d.setList("class_revenue_percent", percents)
	d.setList("stage", stages)
	d.Put("classes", classes)
	d.Put("stages", int64(len(stages)/2))
}

func (w *Writer) fares(d *Body) {
	percents := d.List("class_revenue_percent")
	if d.Version.IsExt {
		w.Set("number_of_classes", len(percents))
	}
	for i, percent := range percents {
		w.Set(key("class_revenue_percent[%d]", i), percent)
	}
	for i, v := range d.List("stage") {
		w.Set(key([]string{"to_distance[%d]", "value[%d]"}[i%2], i/2), v)
	}
}
