package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.SIGN, Word: "roadsign", Versions: since12(5, 6).extended(4, 2), Axes: []string{"image"},
		About: "A road sign or a signal.",
		Fields: `
			waytype      waytype      waytype         -- The way at which it stands.
			min_speed    km/h         min_speed       -- Slower vehicles may not pass; 0 for none.
			price        hundredfold  cost=500        -- The price, in credits.
			maintenance  money        maintenance     -- The monthly cost, in hundredths of a credit.
			offset_left  int          offset_left=14  -- How far from the left side of the road it stands, in pixels.
			flags        signflags    single_way|free_route|is_private|is_signal|is_presignal|no_foreground|is_longblocksignal|end_of_choose|is_prioritysignal  -- 1: the sign works so.
			intro        date         intro=1900      -- The first month in which it can be built.
			retire       date         retire=2999     -- The month from which it cannot be built any more.
			.  image  icon    -- The image in the menu; without it the game does not offer the sign.
			.  image  cursor  -- The image at the mouse pointer; without it the game does not offer the sign.
			.  image  image[0]       -- The images in their order, four for each state: north, south, west, east.
			.  image  image[n][0]|image[s][0]|image[w][0]|image[e][0]|image[ne][0]|image[sw][0]|image[se][0]|image[nw][0]  -- The image by direction and state.
			.  image  image[ns][0]|image[ew][0]  -- The gate of a private road, closed and open.`,
		Extended: `
			flags                      signflags  single_way|free_route|is_private|is_signal|is_presignal|no_foreground|is_longblocksignal|end_of_choose
			intro                      date     intro=1492
			allow_underground          atmost2  allow_underground=2             -- 0 above the ground, 1 below it, 2 both.
			signal_groups              groups   signal_groups                   -- The groups of signal boxes that can work it, 1 to 32.
			maintenance                money    maintenance~0
			max_distance_to_signalbox  m        max_distance_to_signalbox=1000  -- How far the signal box may be.
			aspects                    int      aspects=2                       -- How many aspects the signal shows.
			has_call_on                int      has_call_on~0                   -- 1: it has an aspect that calls on.
			has_selective_choose       int      has_selective_choose~0          -- 1: a choose signal that chooses only where it is told.
			working_method             method   working_method                  -- How trains are kept apart.
			permissive                 int      permissive~0                    -- 1: a train may pass it at danger.
			max_speed                  km/h     max_speed=160                   -- The highest speed at which it can be read.
			signal_upgrade_cost        money    signal_upgrade_cost~price       -- The price of its replacement, in hundredths of a credit.
			upgrade_group              int      upgrade_group~0                 -- Signals of one group replace each other.
			intermediate_block         int      intermediate_block~0            -- 1: an intermediate block signal.
			normal_danger              int      normal_danger~0                 -- 1: its normal aspect is danger.
			double_block               int      double_block~0                  -- 1: it needs two free blocks.`,
		Bodies: []string{
			"1-6: min_speed:u16 price:u32@2,i64@6 maintenance:i64@6 flags:u8,u16@5 offset_left:i8@4 waytype:u8@3 intro:u16@3 retire:u16@3",
			"x4.2: min_speed:u16 price:u32 flags:u8 offset_left:i8 waytype:u8 intro:u16 retire:u16 allow_underground:u8 signal_groups:u32" +
				" maintenance:u32 max_distance_to_signalbox:u32 aspects:u8 has_call_on:i8 has_selective_choose:i8 working_method:u8" +
				" permissive:i8 max_speed:u32 signal_upgrade_cost:u32 upgrade_group:u8 intermediate_block:u8 normal_danger:u8 double_block:u8",
		},
		Build: (*Builder).sign,
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.all(child(w.object, node.IMG1), numbered("image"))
			w.maybeCursor(w.object)
		},
	})
}

func (b *Builder) sign() *node.Node {
	d := b.read(node.SIGN, "")
	flags := b.signFlags()
	d.Put("flags", flags)
	children := append(b.nameAndCopyright(), b.list(b.signKeys(flags)))
	return b.node(node.SIGN, d, append(children, b.maybeCursor()...)...)
}

const privateSign = 4

// signFlags reads the flags of a sign. A signal is only one kind of signal, even if the
// source has further flags.
func (b *Builder) signFlags() (flags int64) {
	signal, presignal, longblock := b.bit("is_signal", 8), b.bit("is_presignal", 16), b.bit("is_longblocksignal", 64)
	switch {
	case !b.target.since(node.SIGN, 4) || b.target.isExtended(node.SIGN):
		flags = signal | presignal | longblock // old signals, and those of Extended, can have several kinds
	case signal != 0:
		return signal | b.bit("free_route", 2)
	case presignal != 0:
		return presignal
	case b.bit("is_prioritysignal", 256) != 0:
		return 256
	case longblock != 0:
		return longblock
	}
	for key, flag := range map[string]int64{"single_way": 1, "free_route": 2, "is_private": privateSign, "no_foreground": 32, "end_of_choose": 128} {
		flags |= truth(b.Int(key, 0) > 0) * flag
	}
	return flags
}

// The largest numbers of images and states that makeobj reads for a sign.
const (
	maxSignImages = 32
	maxSignStates = 8
)

// signKeys are the keys of a sign's images: numbered, or by direction and state.
func (b *Builder) signKeys(flags int64) []string {
	if b.target.isExtended(node.SIGN) {
		return b.signKeysInFours()
	}
	if !b.Has("image[0]") {
		return b.stateKeys(flags)
	}
	keys := b.present(numbered("image"))
	if len(keys) > maxSignImages {
		b.Warn(keys[maxSignImages], "", "a sign has at most %d images; the others are left out", maxSignImages)
		return keys[:maxSignImages]
	}
	if len(keys)%4 != 0 {
		b.Fail(key("image[%d]", len(keys)), "give images for n, s, e and w", "expected a multiple of 4 images, found %d", len(keys))
	}
	return keys
}

// signKeysInFours are the keys of a sign's images in Extended. They are in groups of
// four; a group is used if its first key exists.
func (b *Builder) signKeysInFours() (keys []string) {
	const most = 48
	for i := range most {
		k := key("image[%d]", i)
		if i%4 == 0 && !b.Has(k) {
			break
		}
		keys = append(keys, k)
	}
	return keys
}

func (b *Builder) stateKeys(flags int64) (keys []string) {
	dirs := []string{"n", "s", "e", "w", "ne", "sw", "se", "nw"}
	if b.target.westFirst {
		dirs = []string{"n", "s", "w", "e", "nw", "se", "sw", "ne"}
	} else if flags&privateSign == 0 {
		b.Warn("image[e][0]", "compile for 60.12, or number the images", "with keys of this form makeobj %s swaps the images for east and west, and so does this target", b.target.name)
	}
	if !b.Has("image[ne][0]") {
		dirs = dirs[:4]
	}
	states := 1
	if flags&privateSign != 0 {
		dirs, states = []string{"ns", "ew"}, 2 // a gate, closed and open
	}
	for states < maxSignStates && b.Has(key("image[%s][%d]", dirs[0], states)) {
		states++
	}
	for state := range states {
		keys = append(keys, bracketed("image", dirs, key("[%d]", state))...)
	}
	return b.required(keys, "the image is missing", "every direction needs an image")
}
