package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.CRSS, Versions: same(2).extended(2, 0),
		Fields: `
			waytype_1              waytype  waytype[0]
			waytype_2              waytype  waytype[1]
			topspeed_1             km/h     speed[0]
			topspeed_2             km/h     speed[1]
			open_animation_time    ms       animation_time_open
			closed_animation_time  ms       animation_time_closed
			sound                  voice    sound
			intro                  date     intro=1900
			retire                 date     retire=2999`,
		Extended: "intro date intro=1492",
		Bodies: []string{
			"1-2: waytype_1:u8 waytype_2:u8 topspeed_1:u16 topspeed_2:u16 open_animation_time:u32 closed_animation_time:u32" +
				" sound:i8 $sound_file[sound_file_length:u8]?sound=-2 intro:u16@2 retire:u16@2",
			"x2.0: waytype_1:u8 waytype_2:u8 topspeed_1:u16 topspeed_2:u16 open_animation_time:u32 closed_animation_time:u32" +
				" sound:i16 $sound_file[sound_file_length:u8]?sound=-2 intro:u16 retire:u16",
		},
		Build: (*Builder).crossing,
		Write: (*Writer).crossing,
	})
}

// crossingKeys are the lists of images of a crossing.
var crossingKeys = []string{
	"openimage[ns]", "openimage[ew]", "front_openimage[ns]", "front_openimage[ew]",
	"closedimage[ns]", "closedimage[ew]", "front_closedimage[ns]", "front_closedimage[ew]",
}

func (b *Builder) crossing() *node.Node {
	d := b.read(node.CRSS, "")
	for i, field := range []string{"topspeed_1", "topspeed_2"} {
		if d.Int(field) != 0 {
			continue
		}
		k, suggestion := key("speed[%d]", i), "set speed[0] and speed[1]"
		if d.Version.IsExt {
			b.Warn(k, suggestion, "the crossing has no speed for this way")
		} else {
			b.Fail(k, suggestion, "a crossing needs a speed for both ways")
		}
	}
	if d.Int("waytype_1") == d.Int("waytype_2") {
		b.Fail("waytype[1]", "give the way type of the other way", "a way cannot cross its like")
	}
	children := b.nameAndCopyright()
	for i, name := range crossingKeys {
		keys := b.present(numbered(name))
		if len(keys) == 0 && i < 2 {
			b.Fail(name+"[0]", "a crossing needs both directions", "the image is missing")
		}
		children = append(children, b.listOrNone(keys))
	}
	return b.node(node.CRSS, d, children...)
}

func (w *Writer) crossing(d *Body) {
	w.fields(d, "")
	w.Blank()
	i := 0
	for _, c := range w.object.Children {
		if c.Type != node.IMG1 && c.Type != node.XREF {
			continue
		}
		if i == len(crossingKeys) {
			w.fail("a crossing with more than %d lists of images", i)
			return
		}
		w.all(c, numbered(crossingKeys[i]))
		i++
	}
}
