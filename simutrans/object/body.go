package object

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/simutrans/node"
)

// Body is the decoded body of a node.
type Body struct {
	Version Version
	Rest    []byte // bytes after the known fields

	layout *layout        // nil if the type or version is unknown
	slots  map[string]int // slot of each name in the type
	nums   []int64        // numbers by slot
	texts  map[int]string
	lists  map[int][]int64

	index string // replaces "#" in the keys of its source

	raw  []byte // all bytes of an unknown body
	word []byte // version bytes as read, because some types accept several forms
}

// Opaque reports whether the type or the version is unknown.
func (d *Body) Opaque() bool { return d.layout == nil }

// New returns an empty body of a type in a version. It is opaque if the type or the
// version is unknown.
func New(t node.Type, v Version) *Body {
	typ := lookup(t)
	if typ == nil {
		return &Body{Version: v}
	}
	return &Body{Version: v, layout: typ.layouts[v], slots: typ.slots, nums: make([]int64, len(typ.slots))}
}

// Int returns a number by its name; 0 if none exists.
func (d *Body) Int(name string) int64 {
	if i, ok := d.slots[name]; ok && i < len(d.nums) {
		return d.nums[i]
	}
	return 0
}

// Put sets a number. Encode leaves out a number that the version does not have.
func (d *Body) Put(name string, v int64) {
	if i, ok := d.slots[name]; ok {
		d.nums[i] = v
	}
}

// text returns a text by its name.
func (d *Body) text(name string) string { return d.texts[d.slots[name]] }

func (d *Body) putText(name, text string) {
	if i, ok := d.slots[name]; ok {
		if d.texts == nil {
			d.texts = map[int]string{}
		}
		d.texts[i] = text
	}
}

// List returns a list by its name.
func (d *Body) List(name string) []int64 {
	if i, ok := d.slots[name]; ok {
		return d.lists[i]
	}
	return nil
}

func (d *Body) setList(name string, list []int64) {
	if i, ok := d.slots[name]; ok {
		d.putList(i, list)
	}
}

func (d *Body) putList(slot int, list []int64) {
	if d.lists == nil {
		d.lists = map[int][]int64{}
	}
	d.lists[slot] = list
}

// Has reports whether the version has a field.
func (d *Body) Has(name string) bool {
	found := false
	d.visit(nil, func(p place) { found = found || p.name() == name })
	return found
}

// place is one number or text of a body.
type place struct {
	*item
	index  int     // index in a list
	num    *int64  // nil for a text
	str    *string // nil for a number
	length int     // length of a text that is being read
}

func (p place) name() string {
	if p.list && p.num != nil {
		return elementName(p.spec.name, p.index, p.members)
	}
	return p.spec.name
}

// visit calls f for the fields in order. If r is not nil, it reads the fields, and takes
// the lengths of lists and texts from r.
func (d *Body) visit(r *wire.Reader, f func(place)) {
	if d.layout == nil {
		return
	}
	for i := range d.layout.items {
		it := &d.layout.items[i]
		switch {
		case !it.when.holds(d.nums):
		case it.text:
			d.visitText(it, r, f)
		case it.list:
			d.visitList(it, r, f)
		default:
			f(place{item: it, num: &d.nums[it.slot]})
		}
	}
}

func (d *Body) visitText(it *item, r *wire.Reader, f func(place)) {
	text := d.texts[it.slot]
	if it.counter != nil {
		d.nums[it.count] = int64(max(len(text)-it.more, 0))
		f(place{item: it.counter, num: &d.nums[it.count]})
	}
	p := place{item: it, str: &text, length: it.fixed}
	if r != nil && it.fixed < 0 {
		p.length = r.Len()
	} else if it.fixed == 0 {
		p.length = int(d.nums[it.count]) + it.more
	}
	f(p)
	if text != d.texts[it.slot] {
		if d.texts == nil {
			d.texts = map[int]string{}
		}
		d.texts[it.slot] = text
	}
}

func (d *Body) visitList(it *item, r *wire.Reader, f func(place)) {
	group := max(len(it.members), 1)
	if r == nil {
		d.nums[it.count] = int64(len(d.lists[it.slot]) / group)
	}
	if it.counter != nil {
		f(place{item: it.counter, num: &d.nums[it.count]})
	}
	if r != nil {
		count := int(d.nums[it.count]) * group
		if count < 0 || count > r.Len()/it.width.bytes() {
			r.Fail(fault.Truncated, r.Offset(), it.spec.name, "%d elements, %d bytes remain", count, r.Len())
			return
		}
		d.putList(it.slot, make([]int64, count))
	}
	list := d.lists[it.slot]
	for i := range list {
		f(place{item: it, index: i, num: &list[i]})
	}
}

// Decode reads a node's body. An unknown type or version gives an opaque body and no
// error. A body that is too short for its version is an error.
func Decode(n *node.Node) (*Body, error) {
	t := lookup(n.Type)
	if t == nil {
		return &Body{raw: n.Body}, nil
	}
	version, start, ok := t.version(n.Body)
	d := New(n.Type, version)
	if !ok || d.layout == nil {
		return &Body{Version: version, raw: n.Body}, nil
	}
	if start > 0 {
		d.word = n.Body[:start:start]
	}
	r := wire.NewReader(n.Body[start:], n.BodyOffset()+int64(start))
	d.visit(r, func(p place) {
		if p.num != nil {
			*p.num = get(r, p.width, p.spec.name)
		} else {
			*p.str = string(r.Bytes(p.length, p.spec.name))
		}
	})
	if err := r.Err(); err != nil {
		return nil, err
	}
	if rest := r.Len(); rest > 0 {
		d.Rest = r.Bytes(rest, "rest")
	}
	return d, nil
}

// version finds the version of a body and the offset of its first field.
func (t *Type) version(body []byte) (v Version, start int, ok bool) {
	switch {
	case t.unversioned:
		return Version{}, 0, true
	case len(body) == 0:
		return Version{}, 0, t.emptyFirst
	case len(body) < 2:
		return Version{}, 0, false
	}
	word := binary.LittleEndian.Uint16(body)
	if word&versionBit == 0 && !t.always {
		return Version{}, 0, true
	}
	return versionOf(word), 2, true
}

func get(r *wire.Reader, w width, name string) int64 {
	switch w {
	case 1:
		return int64(r.U8(name))
	case 2:
		return int64(r.U16(name))
	case 4:
		return int64(r.U32(name))
	case -1:
		return int64(r.I8(name))
	case -2:
		return int64(r.I16(name))
	case -4:
		return int64(r.I32(name))
	}
	return r.I64(name)
}

// Encode returns the bytes of the body. It fails if a value does not fit its
// field.
func (d *Body) Encode() ([]byte, error) {
	if d.layout == nil {
		if d.raw == nil && d.Version != (Version{}) {
			return nil, fault.New(fault.UnsupportedVersion, "version %s cannot be written", d.Version)
		}
		return append([]byte(nil), d.raw...), nil
	}
	var out []byte
	var err error
	if d.hasWord() {
		word := d.Version.Word()
		if d.word != nil && versionOf(binary.LittleEndian.Uint16(d.word)) == d.Version {
			word = binary.LittleEndian.Uint16(d.word)
		}
		out = binary.LittleEndian.AppendUint16(out, word)
	}
	d.visit(nil, func(p place) {
		if p.str != nil {
			out = append(out, *p.str...)
			return
		}
		if low, high := p.width.bounds(); (*p.num < low || *p.num > high) && err == nil {
			err = fault.New(fault.Limit, "%s: %d does not fit into %d bytes", p.name(), *p.num, p.width.bytes())
		}
		for i := range p.width.bytes() {
			out = append(out, byte(*p.num>>(8*i)))
		}
	})
	return append(out, d.Rest...), err
}

// hasWord reports whether the body begins with a version word.
func (d *Body) hasWord() bool { return d.Version != (Version{}) || d.word != nil }

// Field is one field of a body in the form for people and scripts.
type Field struct {
	Name   string // lower_snake_case
	Value  any    // int64 or string
	Text   string // the value in words: track, 1931-01, 448
	Unit   string // km/h, t, Cr, or ""
	Offset int    // offset in the body
	Size   int    // in bytes
	// Structural states that the nodes of the object depend on this value. Setting only
	// this value would break the object.
	Structural bool

	def     int64
	decimal bool
}

// Number is the value in the unit of the field: money in credits.
func (f Field) Number() any {
	if f.decimal {
		return json.Number(f.Text)
	}
	return f.Value
}

// IsDefault reports whether the field has the value that a source without its key gives.
func (f Field) IsDefault() bool {
	v, ok := f.Value.(int64)
	return ok && (v == f.def || v == 0)
}

// InWords returns the value with its unit, for people. A value that counts parts of its
// unit, such as 1/16 km/h, is also given in whole ones.
func (f *Field) InWords() string {
	v, whole := f.Value.(int64)
	part, unit, _ := strings.Cut(f.Unit, " ")
	n, err := strconv.ParseInt(strings.TrimPrefix(part, "1/"), 10, 64)
	if !whole || err != nil || !strings.HasPrefix(part, "1/") {
		return strings.TrimSpace(f.Text + " " + f.Unit)
	}
	return f.Text + " (" + strings.TrimSpace(fmt.Sprintf("%.4g %s", float64(v)/float64(n), unit)) + ")"
}

// Fields lists the fields in the order of the body.
func (d *Body) Fields() []Field {
	var list []Field
	at := 0
	if d.hasWord() {
		at = 2
	}
	add := func(f Field) {
		f.Offset = at
		at += f.Size
		list = append(list, f)
	}
	d.visit(nil, func(p place) {
		if p.str != nil {
			text := strings.TrimRight(*p.str, "\x00")
			add(Field{Name: p.name(), Value: text, Text: text, Size: len(*p.str)})
			return
		}
		k := p.spec.kind
		add(Field{
			Name: p.name(), Value: *p.num, Text: k.words(*p.num), Unit: k.unit,
			Size: p.width.bytes(), Structural: k.structural, def: k.scale(p.spec.def), decimal: k.decimal,
		})
	})
	if len(d.Rest) > 0 {
		text := hex.EncodeToString(d.Rest)
		add(Field{Name: "rest", Value: text, Text: text, Size: len(d.Rest)})
	}
	return list
}

// Field returns the field of a name.
func (d *Body) Field(name string) (Field, bool) {
	for _, f := range d.Fields() {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Set changes a field. The value has the unit and the words of Fields. The bytes after
// the fields are called rest, in hexadecimal.
func (d *Body) Set(name, value string) error { return d.set(name, value, place.enter) }

// Store is Set with the stored number, without a unit.
func (d *Body) Store(name, value string) error { return d.set(name, value, place.store) }

func (d *Body) set(name, value string, set func(p place, value string) error) error {
	if name == "rest" {
		rest, err := hex.DecodeString(value)
		if err != nil {
			return fault.New(fault.BadEntry, "rest: %q is not hexadecimal", value)
		}
		d.Rest = rest
		return nil
	}
	err := error(fault.New(fault.BadEntry, "unknown field %q in version %d", name, d.Version.Standard))
	d.visit(nil, func(p place) {
		switch {
		case p.name() != name:
		case p.str != nil:
			err = setText(name, p.str, value)
		case p.spec.kind.isLength:
			err = nil // the length of a list or text cannot be set
		default:
			err = set(p, strings.TrimSpace(value))
		}
	})
	return err
}

func (p place) enter(value string) error {
	if v, ok := p.spec.kind.parseWords(value); ok {
		return p.put(v)
	}
	return p.store(value)
}

func (p place) store(value string) error {
	v, err := strconv.ParseInt(value, 0, 64)
	if err != nil {
		if words, ok := p.spec.kind.parseWords(value); ok {
			return p.put(words)
		}
		return fault.New(fault.BadEntry, "%s: %q is not a number", p.name(), value)
	}
	return p.put(v)
}

func (p place) put(v int64) error {
	if low, high := p.width.bounds(); v < low || v > high {
		return fault.New(fault.Limit, "%s: %d is not between %d and %d", p.name(), v, low, high)
	}
	*p.num = v
	return nil
}

// setText sets a text. If the old text ended with a NUL, so does the new one. A node type
// keeps its four letters.
func setText(name string, p *string, value string) error {
	switch {
	case value == strings.TrimRight(*p, "\x00"): // unchanged apart from NULs: keep them
	case strings.ContainsRune(value, 0):
		return fault.New(fault.BadEntry, "%s: a name cannot hold a NUL", name)
	case name == "type":
		if len(value) > 4 {
			return fault.New(fault.Limit, "%s: %q has more than four letters", name, value)
		}
		*p = value + "\x00\x00\x00\x00"[:4-len(value)]
	case strings.HasSuffix(*p, "\x00"):
		*p = value + "\x00"
	default:
		*p = value
	}
	return nil
}

// Cut is a value that did not fit its field.
type Cut struct {
	Name     string // name of the field
	Key      string // key of the source, "" if none exists
	From, To int64
}

// Wrap cuts every value to the width of its field, as C does, and returns the changed
// values.
func (d *Body) Wrap() (cuts []Cut) {
	d.visit(nil, func(p place) {
		if p.num == nil {
			return
		}
		if to := p.width.wrap(*p.num); to != *p.num {
			cuts = append(cuts, Cut{p.name(), p.spec.cutKey(d.index), *p.num, to})
			*p.num = to
		}
	})
	return cuts
}
