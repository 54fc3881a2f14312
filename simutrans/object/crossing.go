package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.CRSS, Word: "crossing", Versions: same(2).extended(2, 0), Axes: []string{"direction", "frame"},
		About: "A level crossing of two ways.",
		Fields: `
			waytype_1              waytype  waytype[0]             -- The way that has priority, such as track.
			waytype_2              waytype  waytype[1]             -- The way that has to wait, such as road.
			topspeed_1             km/h     speed[0]               -- The highest speed of the first way at which the crossing fits.
			topspeed_2             km/h     speed[1]               -- The highest speed of the second way at which the crossing fits.
			open_animation_time    ms       animation_time_open    -- How long a frame shows while the crossing is open.
			closed_animation_time  ms       animation_time_closed  -- How long a frame shows while the crossing is closed.
			sound                  voice    sound                  -- The sound of the crossing: a file, or the number of a built-in sound.
			intro                  date     intro=1900             -- The first month in which it can be built.
			retire                 date     retire=2999            -- The month from which it cannot be built any more.
			.  image  openimage[ns][0]|openimage[ew][0]                -- The open crossing; the last index is the frame.
			.  image  front_openimage[ns][0]|front_openimage[ew][0]    -- The open crossing in front of the vehicles.
			.  image  closedimage[ns][0]|closedimage[ew][0]            -- The closed crossing.
			.  image  front_closedimage[ns][0]|front_closedimage[ew][0]  -- The closed crossing in front of the vehicles.`,
		Extended: "intro date intro=1492",
		Bodies: []string{
			"1-2: waytype_1:u8 waytype_2:u8 topspeed_1:u16 topspeed_2:u16 open_animation_time:u32 closed_animation_time:u32" +
				" sound:i8 $sound_file[sound_file_length:u8]?sound=-2 intro:u16@2 retire:u16@2",
			"x2.0: waytype_1:u8 waytype_2:u8 topspeed_1:u16 topspeed_2:u16 open_animation_time:u32 closed_animation_time:u32" +
				" sound:i16 $sound_file[sound_file_length:u8]?sound=-2 intro:u16 retire:u16",
		},
		Build: (*Builder).crossing,
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			all := w.object.Children
			w.images(all[min(2, len(all)):], crossingImages()...)
		},
	})
}

func crossingImages() (forms []form) {
	for _, state := range []string{"open", "closed"} {
		for _, side := range []string{"", "front_"} {
			for _, direction := range []string{"ns", "ew"} {
				forms = append(forms, form{counted: numbered(key("%s%simage[%s]", side, state, direction)), orNone: true})
			}
		}
	}
	return forms
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
		b.Fail("waytype[1]", "give the way type of the other way", "a way cannot cross a way of its own type")
	}
	b.required([]string{"openimage[ns][0]", "openimage[ew][0]"}, "the image is missing", "a crossing needs both directions")
	return b.node(node.CRSS, d, append(b.nameAndCopyright(), b.images(crossingImages()...)...)...)
}
