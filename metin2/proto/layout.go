package proto

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// The types of fields, all little-endian.
type fieldType string

const (
	u8     fieldType = "u8"
	i8     fieldType = "i8"
	u16    fieldType = "u16"
	i16    fieldType = "i16"
	u32    fieldType = "u32"
	i32    fieldType = "i32"
	f32    fieldType = "f32"
	text   fieldType = "text"  // bytes in a code page, followed by a NUL
	opaque fieldType = "bytes" // bytes of unknown meaning, shown in hex
)

var sizes = map[fieldType]int{u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4}

// field is one value of a record.
type field struct {
	name   string
	typ    fieldType
	at     int
	size   int
	words  *vocabulary // words for the numbers; nil if none exist
	locale bool        // a text in the code page of the client's language, not in the Korean one
}

// layout is the struct of a record in one client.
type layout struct {
	fields []field
	stride int
	words  string // prefix of the names of its vocabularies
}

func (l *layout) add(name string, typ fieldType) *field {
	return l.addSized(name, typ, sizes[typ])
}

func (l *layout) addSized(name string, typ fieldType, size int) *field {
	l.fields = append(l.fields, field{name: name, typ: typ, at: l.stride, size: size, words: vocabularies()[l.words+name]})
	l.stride += size
	return &l.fields[len(l.fields)-1]
}

// addAll adds fields of one type.
func (l *layout) addAll(typ fieldType, names ...string) {
	for _, name := range names {
		l.add(name, typ)
	}
}

func (l *layout) addNames(longest int) {
	l.addSized("name", text, longest+1)
	l.addSized("locale_name", text, longest+1).locale = true
}

// addRest adds a field for the bytes behind the known fields.
func (l *layout) addRest(stride int) *layout {
	if rest := stride - l.stride; rest > 0 {
		l.addSized("rest", opaque, rest)
	}
	return l
}

// field finds a field by its name.
func (l *layout) field(name string) (*field, bool) {
	i := slices.IndexFunc(l.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return nil, false
	}
	return &l.fields[i], true
}

// itemLayout is the struct of an item. Clients differ in four ways: whether there is a
// range of vnums, the longest name, the number of bonuses, and further fields at the end.
//
//	stride = 87 + 4 (with a range) + 2*(longest+1) + 5*bonuses + extra
func itemLayout(ranged bool, longest, bonuses int, extra ...field) *layout {
	l := &layout{}
	l.add("vnum", u32)
	if ranged {
		l.add("vnum_range", u32)
	}
	l.addNames(longest)
	l.addAll(u8, "type", "subtype", "weight", "size")
	l.addAll(u32, "anti_flags", "flags", "wear_flags", "immune_flags", "buy_price", "sell_price")
	pairs := func(name string, count int) {
		for i := range count {
			l.add(fmt.Sprintf("%s_type%d", name, i), u8).words = vocabularies()[name+"_type"]
			l.add(fmt.Sprintf("%s_value%d", name, i), i32)
		}
	}
	pairs("limit", 2)
	pairs("addon", bonuses)
	l.addAll(i32, "value0", "value1", "value2", "value3", "value4", "value5", "socket0", "socket1", "socket2")
	l.add("refined_vnum", u32)
	l.add("refine_set", u16)
	l.addAll(u8, "magic_pct", "specular", "socket_pct")
	for _, f := range extra {
		l.add(f.name, f.typ)
	}
	return l
}

var masks = []field{{name: "mask_type", typ: u8}, {name: "mask_subtype", typ: u8}}

// itemLayouts are the known structs. Their strides are 156, 152, 158, 163 and 180. The
// one of 163 bytes is a guess from its size.
func itemLayouts() []*layout {
	return []*layout{
		itemLayout(true, 24, 3), itemLayout(false, 24, 3), itemLayout(true, 24, 3, field{name: "wearable_flag", typ: u16}),
		itemLayout(true, 24, 4, masks...), itemLayout(true, 30, 5, masks...),
	}
}

// mobLayout is the struct of a monster. Clients with more kinds of resistance have these
// after the usual ones.
func mobLayout(longest, resists int) *layout {
	l := &layout{words: "mob "}
	l.add("vnum", u32)
	l.addNames(longest)
	l.addAll(u8, "type", "rank", "battle_type", "level", "size")
	l.addAll(u32, "gold_min", "gold_max", "exp", "max_hp")
	l.addAll(u8, "regen_cycle", "regen_percent")
	l.add("def", u16)
	l.addAll(u32, "ai_flag", "race_flag", "immune_flag")
	l.addAll(u8, "st", "dx", "ht", "iq")
	l.addAll(u32, "damage_min", "damage_max")
	l.addAll(i16, "attack_speed", "move_speed")
	l.add("aggressive_hp_pct", u8)
	l.addAll(u16, "aggressive_sight", "attack_range")
	l.addAll(i8, "enchant_curse", "enchant_slow", "enchant_poison", "enchant_stun", "enchant_critical", "enchant_penetrate")
	l.addAll(i8, "resist_sword", "resist_twohand", "resist_dagger", "resist_bell", "resist_fan", "resist_bow",
		"resist_fire", "resist_elect", "resist_magic", "resist_wind", "resist_poison")
	for i := 11; i < resists; i++ {
		l.add(fmt.Sprintf("resist%d", i), i8)
	}
	l.addAll(u32, "resurrection_vnum", "drop_item")
	l.addAll(u8, "mount_capacity", "on_click", "empire")
	l.addSized("folder", text, 65)
	l.add("dam_multiply", f32)
	l.addAll(u32, "summon", "drain_sp", "mob_color", "polymorph_item")
	for i := range 5 {
		l.add(fmt.Sprintf("skill_vnum%d", i), u32)
		l.add(fmt.Sprintf("skill_level%d", i), u8)
	}
	l.addAll(u8, "sp_berserk", "sp_stoneskin", "sp_godspeed", "sp_deathblow", "sp_revive")
	return l
}

// longestNames are the name lengths that clients were built with. mostExtra is the most
// bytes that a client may have added to a struct.
var longestNames = []int{24, 30, 32, 48, 64}

const mostExtra = 32

// candidates lists the structs of that size: the known ones, then all combinations of
// name length and counts that fit.
func (k *kind) candidates(stride int) (list []*layout) {
	try := func(l *layout) {
		if l.stride <= stride && stride <= l.stride+mostExtra {
			list = append(list, l.addRest(stride))
		}
	}
	for _, l := range k.layouts() {
		if l.stride == stride {
			list = append(list, l)
		}
	}
	for _, longest := range longestNames {
		if k == mobs {
			for resists := 11; resists <= 16; resists++ {
				try(mobLayout(longest, resists))
			}
			continue
		}
		for bonuses := 3; bonuses <= 8; bonuses++ {
			try(itemLayout(true, longest, bonuses))
			try(itemLayout(false, longest, bonuses))
		}
	}
	slices.SortStableFunc(list, func(a, b *layout) int { return a.restSize() - b.restSize() })
	return list
}

func (l *layout) restSize() int {
	if f, ok := l.field("rest"); ok {
		return f.size
	}
	return 0
}

// layoutFor finds the struct of records of that size. In it, vnums rise, texts end with a
// NUL, and types are small numbers. The records of a known struct may be in any order. If
// no struct fits, only the vnum is a field.
func (k *kind) layoutFor(stride int, data []byte) *layout {
	list := k.candidates(stride)
	for _, l := range list {
		if l.fits(data, true) {
			return l
		}
	}
	if len(list) > 0 && list[0].restSize() == 0 && list[0].fits(data, false) {
		return list[0]
	}
	l := &layout{}
	l.add("vnum", u32)
	return l.addRest(stride)
}

// mostTypes is more than the number of item types on any server. dump_proto writes 255
// for an unknown word.
const mostTypes = 64

func (l *layout) fits(data []byte, strict bool) bool {
	typ, _ := l.field("type")
	for last := int64(-1); len(data) >= l.stride; data = data[l.stride:] {
		r := data[:l.stride]
		vnum := int64(binary.LittleEndian.Uint32(r))
		if strict && vnum <= last || r[typ.at] >= mostTypes && r[typ.at] != 255 {
			return false
		}
		last = vnum
		for _, f := range l.fields {
			if f.typ == text && !isText(r[f.at:f.at+f.size], strict) {
				return false
			}
		}
	}
	return true
}

// isText reports whether b is a text that ends with a NUL. If strict is set, only NULs
// may follow.
func isText(b []byte, strict bool) bool {
	end := bytes.IndexByte(b, 0)
	return end >= 0 && !(strict && len(bytes.TrimLeft(b[end:], "\x00")) > 0) && bytes.IndexFunc(b[:end], func(r rune) bool { return r < ' ' }) < 0
}
