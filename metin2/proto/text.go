package proto

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
)

// Servers read the text forms, and the program dump_proto makes a client's file from
// them. They have lines of cells with tabs between them, and the names of a language in a
// second file. They are in the code pages of their makers, not in UTF-8.

// itemColumns are the fields in a line of item_proto.txt. Only the server uses the last
// one, attu_addon.
func itemColumns(l *layout) []string {
	list := []string{"vnum", "name", "type", "subtype", "size", "anti_flags", "flags", "wear_flags", "immune_flags", "buy_price",
		"sell_price", "refined_vnum", "refine_set", "magic_pct", "limit_type0", "limit_value0", "limit_type1", "limit_value1"}
	for _, f := range l.fields {
		if strings.HasPrefix(f.name, "addon_") {
			list = append(list, f.name)
		}
	}
	list = append(list, "value0", "value1", "value2", "value3", "value4", "value5", "specular", "socket_pct", "attu_addon")
	if _, ok := l.field("mask_type"); ok {
		list = append(list, "mask_type", "mask_subtype")
	}
	return list
}

// mobColumns are the fields in a line of mob_proto.txt.
func mobColumns(*layout) []string {
	return strings.Fields(`vnum name rank type battle_type level size ai_flag mount_capacity race_flag immune_flag empire folder
		on_click st dx ht iq damage_min damage_max max_hp regen_cycle regen_percent gold_min gold_max exp def attack_speed
		move_speed aggressive_hp_pct aggressive_sight attack_range drop_item resurrection_vnum enchant_curse enchant_slow
		enchant_poison enchant_stun enchant_critical enchant_penetrate resist_sword resist_twohand resist_dagger resist_bell
		resist_fan resist_bow resist_fire resist_elect resist_magic resist_wind resist_poison dam_multiply summon drain_sp
		mob_color polymorph_item skill_level0 skill_vnum0 skill_level1 skill_vnum1 skill_level2 skill_vnum2 skill_level3
		skill_vnum3 skill_level4 skill_vnum4 sp_berserk sp_stoneskin sp_godspeed sp_deathblow sp_revive`)
}

// headings are the headings of the columns of items that are not the upper-case name of
// the field.
var headings = map[string]string{
	"vnum": "ITEM번호", "name": "ITEM_NAME(K)", "type": "ITEM_TYPE", "subtype": "SUB_TYPE", "anti_flags": "ANTI_FLAG", "flags": "FLAG",
	"wear_flags": "ITEM_WEAR", "immune_flags": "IMMUNE", "buy_price": "상점 판매가", "sell_price": "상점에서 살 때",
	"refined_vnum": "REFINE", "refine_set": "REFINESET", "specular": "Specular", "socket_pct": "SOCKET",
}

// isTextForm reports whether a file begins like a text form, and of which kind.
func isTextForm(head []byte) (*kind, bool) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.IndexByte(line, 0) >= 0 { // as in most binary files
		return nil, false
	}
	line = bytes.ToUpper(line)
	switch {
	case bytes.HasPrefix(line, []byte("VNUM\tNAME\tRANK\tTYPE\tBATTLE_TYPE")):
		return mobs, true
	case bytes.Contains(line, []byte("\tITEM_TYPE\tSUB_TYPE\tSIZE\tANTI_FLAG\tFLAG\t")):
		return items, true
	}
	return nil, false
}

// rows splits a text form into lines and cells.
func rows(data []byte) (list [][][]byte) {
	for line := range bytes.Lines(data) {
		list = append(list, bytes.Split(bytes.TrimRight(line, "\r\n"), []byte{'\t'}))
	}
	return list
}

// readText reads a text form and, if given, the names of a language.
func (k *kind) readText(data, names []byte, opts archive.Options) (*table, error) {
	lines := rows(data)
	t := &table{kind: k, layout: k.layoutOf(lines[0]), version: 1, mark: markItems, object: "MCOZ", key: k.key}
	if k == mobs {
		t.mark = markMobs
	}
	if need := int64(len(lines)) * int64(t.layout.stride); need > opts.EntryLimit() {
		return nil, fault.New(fault.Limit, "%d lines are %d bytes of records, more than %d", len(lines), need, opts.EntryLimit())
	}
	called := map[string][]byte{}
	for _, cells := range rows(names) {
		if len(cells) > 1 {
			called[string(cells[0])] = cells[1]
		}
	}
	fields := t.textFields()
	var list [][]byte
	for i, cells := range lines[1:] {
		if len(bytes.TrimSpace(cells[0])) == 0 {
			continue
		}
		r := record{t, make([]byte, t.layout.stride)}
		if err := r.readLine(i+2, fields, cells); err != nil {
			return nil, err
		}
		local, ok := called[string(cells[0])]
		if !ok && len(cells) > 1 {
			local = cells[1]
		}
		r.cutRaw("locale_name", local)
		list = append(list, r.data)
	}
	if k == items { // dump_proto sorts only items, because the client finds them by binary search
		slices.SortStableFunc(list, func(a, b []byte) int { return int(record{t, a}.vnum()) - int(record{t, b}.vnum()) })
	}
	t.data = bytes.Join(list, nil)
	return t, t.choosePages(opts.CodePage)
}

// layoutOf returns the struct that has the columns of a text form.
func (k *kind) layoutOf(header [][]byte) *layout {
	count := 0
	for i, cell := range header {
		if len(cell) > 0 {
			count = i + 1
		}
	}
	list := k.layouts()
	for _, l := range list {
		if len(k.columns(l)) == count {
			return l
		}
	}
	return list[0]
}

// cutRaw stores a text, cut to the size of the field as dump_proto does.
func (r record) cutRaw(name string, raw []byte) {
	f, _ := r.layout.field(name)
	f.setRaw(r, raw[:min(len(raw), f.size-1)])
}

// readLine reads the cells of a line as dump_proto does: a number ends with its digits,
// an unknown word of a set is ignored, and any other unknown word is 255. Each loss
// becomes a note.
func (r record) readLine(line int, fields []*field, cells [][]byte) error {
	for i, cell := range cells[:min(len(cells), len(fields))] {
		f, value := fields[i], strings.TrimSpace(string(cell))
		switch {
		case f == nil:
			continue
		case f.name == "vnum":
			if err := r.setVnum(value); err != nil {
				return fault.New(fault.BadEntry, "line %d: %v", line, err)
			}
			continue
		case f.typ == text:
			r.cutRaw(f.name, cell)
			continue
		}
		n, left := f.leading(value)
		if f.words != nil && left != "" {
			var unknown []string
			if n, unknown = r.word(f, value); len(unknown) > 0 {
				if !r.vocabulary(f).bits {
					n = math.MaxUint8
				}
				r.note(note{line, f.name, fmt.Sprintf("%q is not a word of %s that is known", unknown[0], f.name), unknown[0]})
			}
		} else if left != "" {
			message := fmt.Sprintf("%s is a number, of %q only %q is read", f.name, value, strings.TrimSuffix(value, left))
			if left == value {
				message = fmt.Sprintf("%s is a number, %q is read as 0", f.name, value)
			}
			r.note(note{line: line, field: f.name, message: message})
		}
		f.setNumber(r, n)
	}
	return nil
}

func (r record) note(n note) { r.notes = append(r.notes, n) }

// Patterns of numbers. They are compiled when a text form is read, not at every start of
// the program.
var (
	leadingInt   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?\d+`) })
	leadingFloat = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?\d+(\.\d*)?`) })
)

// leading returns the number at the beginning of a cell, in the form in which the field
// stores it, and the rest of the cell.
func (f *field) leading(value string) (n int64, left string) {
	if f.typ == f32 {
		digits := leadingFloat().FindString(value)
		x, _ := strconv.ParseFloat(digits, 32)
		return int64(math.Float32bits(float32(x))), value[len(digits):]
	}
	digits := leadingInt().FindString(value)
	n, _ = strconv.ParseInt(digits, 10, 64)
	return n, value[len(digits):]
}

// setVnum reads a vnum, or a range of vnums: 110000~110099.
func (r record) setVnum(value string) error {
	first, last, ranged := strings.Cut(value, "~")
	a, err := strconv.ParseUint(first, 10, 32)
	if err != nil {
		return fmt.Errorf("%q is not a vnum", value)
	}
	f, _ := r.layout.field("vnum")
	f.setNumber(r, int64(a))
	if span, ok := r.layout.field("vnum_range"); ok && ranged {
		b, err := strconv.ParseUint(last, 10, 32)
		if err != nil || b < a {
			return fmt.Errorf("%q is not a range of vnums", value)
		}
		span.setNumber(r, int64(b-a))
	}
	return nil
}

// vnumText is the first cell of a line.
func (r record) vnumText() string {
	if span, ok := r.layout.field("vnum_range"); ok && span.number(r) > 0 {
		return fmt.Sprintf("%d~%d", r.vnum(), int64(r.vnum())+span.number(r))
	}
	return strconv.FormatUint(uint64(r.vnum()), 10)
}

// textForm returns the table as item_proto.txt or mob_proto.txt.
func (t *table) textForm() []byte {
	columns, fields := t.kind.columns(t.layout), t.textFields()
	var b bytes.Buffer
	for i, name := range columns {
		heading := strings.ToUpper(name)
		if h, ok := headings[name]; ok && t.kind == items {
			heading = h
		}
		raw, _ := korean.Bytes(heading)
		b.Write(raw)
		b.WriteString(separator(i, len(columns)))
	}
	for i := range t.count() {
		r := t.record(i)
		for c, f := range fields {
			switch {
			case f == nil:
				b.WriteByte('0')
			case f.name == "vnum":
				b.WriteString(r.vnumText())
			case f.typ == text:
				b.Write(f.raw(r))
			default:
				b.WriteString(f.text(r))
			}
			b.WriteString(separator(c, len(columns)))
		}
	}
	return b.Bytes()
}

// textFields are the fields for the columns of the text form; nil for a column without a
// field in the records.
func (t *table) textFields() (fields []*field) {
	for _, name := range t.kind.columns(t.layout) {
		f, _ := t.layout.field(name)
		fields = append(fields, f)
	}
	return fields
}

func separator(i, count int) string {
	if i == count-1 {
		return "\n"
	}
	return "\t"
}

// names returns the table as item_names.txt or mob_names.txt.
func (t *table) names() []byte {
	b := []byte("VNUM\tLOCALE_NAME\n")
	f, ok := t.layout.field("locale_name")
	for i := range t.count() {
		if r := t.record(i); ok {
			b = fmt.Appendf(b, "%s\t%s\n", r.vnumText(), f.raw(r))
		}
	}
	return b
}
