package proto

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/packname"
)

var update = flag.Bool("update", false, "write the golden file anew")

// The structs of the known clients, field by field, and the columns of their text forms.
// Files of players have these bytes: a field at another place would be another value.
func TestLayouts(t *testing.T) {
	var b strings.Builder
	show := func(name string, k *kind, l *layout) {
		fmt.Fprintf(&b, "-- %s: %d bytes --\n", name, l.stride)
		for _, f := range l.fields {
			words := ""
			if v := f.words; v != nil && len(v.words) > 0 {
				words = fmt.Sprintf(" %d words from %s to %s", len(v.words), v.words[0], v.words[len(v.words)-1])
			}
			fmt.Fprintf(&b, "%d %s %d %s%s%s\n", f.at, f.typ, f.size, f.name, map[bool]string{true: " in the code page of the language"}[f.locale], words)
		}
		fmt.Fprintf(&b, "columns: %s\n", strings.Join(k.columns(l), " "))
	}
	for i, l := range itemLayouts() {
		show(fmt.Sprint("item ", i), items, l)
	}
	show("mob", mobs, mobLayout(24, 11))
	show("mob with more resistances", mobs, mobLayout(30, 13).addRest(mobLayout(30, 13).stride+3))
	const golden = "testdata/layouts.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("%v: the structs are not those of %s:\n%s", err, golden, b.String())
	}
	var strides []int
	for _, l := range itemLayouts() {
		strides = append(strides, l.stride)
	}
	if !slices.Equal(strides, []int{156, 152, 158, 163, 180}) || mobLayout(24, 11).stride != 255 {
		t.Errorf("strides %v and %d", strides, mobLayout(24, 11).stride)
	}
}

// Numbers have the words of the text forms, and back. A number without a word stays a number.
func TestWords(t *testing.T) {
	words := vocabularies()
	for _, k := range []struct {
		field string
		n     int64
		word  string
	}{
		{"type", 0, "ITEM_NONE"}, {"type", 1, "ITEM_WEAPON"}, {"type", 34, "ITEM_BELT"}, {"type", 32, "32"}, {"type", 38, "38"}, {"type", -1, "-1"},
		{"mob size", 0, "0"}, {"mob size", 1, "SMALL"}, {"mob size", 3, "BIG"}, {"mob size", 4, "4"}, {"mob rank", 5, "KING"},
		{"anti_flags", 0, "NONE"}, {"anti_flags", 1, "ANTI_FEMALE"}, {"anti_flags", 1<<8 | 1<<6, "ANTI_GET | ANTI_SELL"}, {"anti_flags", 1<<30 | 1<<31 | 2, "ANTI_MALE | 3221225472"},
		{"mob ai_flag", 0, ""}, {"mob ai_flag", 3, "AGGR,NOMOVE"}, {"mob race_flag", 1 << 16, "ATT_DARK"}, {"mob race_flag", 1 << 17, "131072"},
		{"addon_type", 63, "ATTBONUS_MONSTER"}, {"addon_type", 75, "75"},
	} {
		v := words[k.field]
		if got := v.text(k.n); got != k.word && got != "APPLY_"+k.word {
			t.Errorf("%s: %d is %q, want %q", k.field, k.n, got, k.word)
		}
		if n, ok := v.number(v.text(k.n)); !v.bits && ok && n != k.n {
			t.Errorf("%s: %s is %d, want %d", k.field, k.word, n, k.n)
		}
		if n, unknown := v.set(v.text(k.n)); v.bits && (n != k.n || unknown != nil) {
			t.Errorf("%s: %s is the set %d, want %d; %q", k.field, k.word, n, k.n, unknown)
		}
	}
	set := words["anti_flags"]
	for text, want := range map[string]int64{"ANTI_SELL|ANTI_GET": 1<<8 | 1<<6, "ANTI_SELL , ANTI_SELL": 1 << 8, " NONE | ANTI_MALE": 2, "0x10 | 3": 0x13, "4294967299": 3, "": 0, "|": 0} {
		if n, unknown := set.set(text); n != want || unknown != nil {
			t.Errorf("%q: %d, want %d; %q", text, n, want, unknown)
		}
	}
	for text, want := range map[string][]string{"ANTI_NEW | ANTI_MALE": {"ANTI_NEW"}, "x,-1": {"x", "-1"}, "none": {"none"}} {
		if _, unknown := set.set(text); !slices.Equal(unknown, want) {
			t.Errorf("%q: %q are unknown", text, unknown)
		}
	}
	if _, ok := words["type"].number(""); ok {
		t.Error("no word is the word of a number without one")
	}
	for word, want := range map[string]int64{"WEAPON_BELL": 4, "DS_SLOT6": 5, "EXTRACT_DRAGON_HEART": 1} {
		if n, ok := anySubtype(word); !ok || n != want {
			t.Errorf("%s is %d", word, n)
		}
	}
}

// small is a table of items with three fields set.
func small(t *testing.T, k *kind, l *layout, lines ...string) *table {
	t.Helper()
	tab := &table{kind: k, layout: l, version: 7, mark: markItems, object: "MCOZ", key: k.key, pages: pages{korean, korean}}
	if k == mobs {
		tab.mark = markMobs
	}
	tab.data = make([]byte, len(lines)*l.stride)
	for i, line := range lines {
		for name, value := range map[int]string{0: "vnum", 1: "name", 2: "type"} {
			cells := strings.Split(line, " ")
			f, _ := l.field(value)
			if err := f.set(tab.record(i), cells[name]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return tab
}

// A struct is recognised by records that make sense in it: texts that end, small types,
// and in a struct that is not known vnums that rise.
func TestRecognition(t *testing.T) {
	known := itemLayouts()[0]
	good := func() []byte {
		return small(t, items, known, "1 a ITEM_WEAPON", "2 b ITEM_ARMOR", "3 c 0").data
	}
	at := func(name string) int { f, _ := known.field(name); return f.at }
	for name, k := range map[string]struct {
		change func(b []byte)
		want   bool
	}{
		"as it is":            {func([]byte) {}, true},
		"the largest type":    {func(b []byte) { b[at("type")] = mostTypes - 1 }, true},
		"a type too large":    {func(b []byte) { b[at("type")] = mostTypes }, false},
		"an unknown word":     {func(b []byte) { b[at("type")] = 255 }, true},
		"another order":       {func(b []byte) { b[0] = 9 }, true},
		"a name without end":  {func(b []byte) { copy(b[at("name"):], strings.Repeat("x", 25)) }, false},
		"a control character": {func(b []byte) { b[at("name")] = 7 }, false},
		"a long name":         {func(b []byte) { copy(b[at("name"):], strings.Repeat("x", 24)) }, true},
		"bytes behind a NUL":  {func(b []byte) { b[at("name")+20] = 'x' }, true},
		"the last record":     {func(b []byte) { b[2*known.stride+at("type")] = 100 }, false},
	} {
		data := good()
		k.change(data)
		if l := items.layoutFor(known.stride, data); slices.Equal(fieldNames(l), fieldNames(known)) != k.want {
			t.Errorf("%s: fieldNames(l) = %v; want slices.Equal(fieldNames(l), fieldNames(known)) = %v", name, fieldNames(l), k.want)
		} else if !k.want && (len(l.fields) != 2 || l.restSize() != known.stride-4 || l.stride != known.stride) {
			t.Errorf("%s: %v in %d bytes", name, fieldNames(l), l.stride)
		}
	}
	// Among several unknown structs, the one with the fewest remaining bytes is taken.
	for _, extra := range []int{1, 3} {
		l := mobLayout(24, 11).addRest(mobLayout(24, 11).stride + extra)
		tab := small(t, mobs, l, "1 a 0", "2 b 1")
		if got := mobs.layoutFor(l.stride, tab.data); got.stride != l.stride || got.restSize() != 0 || len(got.fields) != len(mobLayout(24, 11+extra).fields) {
			t.Errorf("%d bytes more: %d unknown", extra, got.restSize())
		}
		unsorted := small(t, mobs, l, "2 a 0", "1 b 1")
		if got := mobs.layoutFor(l.stride, unsorted.data); extra > 0 && got.restSize() != 0 {
			t.Errorf("%d bytes more, in another order: %d unknown", extra, got.restSize())
		}
	}
	if l := items.layoutFor(152+mostExtra+1000, make([]byte, 2000)); len(l.fields) != 2 {
		t.Errorf("a struct of many bytes has %v", fieldNames(l))
	}
}

// The header of a client's file must fit the records.
func TestHeader(t *testing.T) {
	tab := small(t, items, itemLayouts()[0], "1 a ITEM_WEAPON", "2 b ITEM_ARMOR")
	file, err := tab.file()
	if err != nil {
		t.Fatal(err)
	}
	if string(file[:4]) != markItems || binary.LittleEndian.Uint32(file[4:]) != 7 || binary.LittleEndian.Uint32(file[8:]) != 156 || binary.LittleEndian.Uint32(file[12:]) != 2 || int(binary.LittleEndian.Uint32(file[16:])) != len(file)-20 {
		t.Errorf("file[:20] = % x", file[:20])
	}
	back, err := readTable(file, archive.Options{})
	if err != nil || !bytes.Equal(back.data, tab.data) || back.version != 7 || back.object != "MCOZ" || back.kind != items || back.count() != 2 {
		t.Fatalf(`back = %+v, err = %v; want no error, back.data equal to tab.data, back.version = 7, back.object = "MCOZ", back.kind = %v, back.count() = 2`, back, err, items)
	}
	again, err := back.file()
	if err != nil || !bytes.Equal(again, file) {
		t.Errorf("written again it is another file: %v", err)
	}
	with := func(at int, v uint32) []byte {
		b := bytes.Clone(file)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for name, k := range map[string]struct {
		file   []byte
		kind   fault.Kind
		offset int64
	}{
		"cut in the header": {file[:19], fault.Truncated, -1}, "cut": {file[:len(file)-1], fault.SizeMismatch, 16}, "more": {append(bytes.Clone(file), 0), fault.SizeMismatch, 16},
		"another stride": {with(8, 155), fault.SizeMismatch, 12}, "a stride of 2": {with(8, 2), fault.SizeMismatch, 12}, "another count": {with(12, 3), fault.SizeMismatch, 12}, "no records": {with(12, 0), fault.SizeMismatch, 12},
	} {
		_, err := readTable(k.file, archive.Options{})
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != k.kind || k.offset >= 0 && e.Offset != k.offset {
			t.Errorf("%s: err = %v; want err of the type of e, e.Kind = %v, (k.offset below 0 or e.Offset = %v)", name, err, k.kind, k.offset)
		}
	}
	if _, err := readTable(file, archive.Options{MaxEntrySize: 2*156 - 1}); !errors.Is(err, fault.Limit) {
		t.Errorf("above the limit: %v", err)
	}
	if _, err := readTable(file, archive.Options{Keys: archive.Keys{"metin2-item-proto": "nonsense"}}); !errors.Is(err, fault.Key) || !strings.Contains(err.Error(), "metin2-item-proto") {
		t.Errorf("with nonsense for a key: %v", err)
	}
	// An old table has no stride, nor has one of monsters; an empty one has no records.
	old := append([]byte(markOldItems), file[12:]...)
	if back, err := readTable(old, archive.Options{}); err != nil || !bytes.Equal(back.data, tab.data) || back.kind != items || back.layout.stride != 156 {
		t.Errorf("an old table: %v", err)
	} else if again, err := back.file(); err != nil || !bytes.Equal(again, old) {
		t.Errorf("an old table is written as another one: %v", err)
	}
	monsters := small(t, mobs, mobLayout(24, 11), "5 a 1")
	if file, err = monsters.file(); err != nil {
		t.Fatal(err)
	}
	if back, err := readTable(file, archive.Options{}); err != nil || !bytes.Equal(back.data, monsters.data) || back.kind != mobs || string(file[:4]) != markMobs {
		t.Errorf("monsters: %v", err)
	}
	empty := small(t, items, itemLayouts()[0])
	if file, err = empty.file(); err != nil {
		t.Fatal(err)
	}
	if back, err := readTable(file, archive.Options{}); err != nil || back.count() != 0 || !slices.Equal(fieldNames(back.layout), fieldNames(itemLayouts()[0])) {
		t.Errorf("an empty table: %v", err)
	}
	if file, err = small(t, mobs, mobLayout(24, 11)).file(); err != nil {
		t.Fatal(err)
	}
	if back, err := readTable(file, archive.Options{}); err != nil || back.count() != 0 || back.kind != mobs || back.layout.stride != 255 {
		t.Errorf("an empty table of monsters: %v", err)
	}
	exact, err := small(t, items, itemLayouts()[1], "1 a 0").file()
	if err != nil {
		t.Fatal(err)
	}
	kept := bytes.Clone(exact)
	if back, err := readTable(exact, archive.Options{}); err != nil || !bytes.Equal(exact, kept) || back.layout.stride != 152 || back.count() != 1 {
		t.Errorf("one record in a table, or the file was changed while it was read: %v", err)
	}
}

// Numbers are read within the limits of their type, as they stand and as words, and the
// error states what is valid.
func TestSetLimits(t *testing.T) {
	l := &layout{}
	for _, typ := range []fieldType{u8, i8, u16, i16, u32, i32, f32} {
		l.add(string(typ), typ)
	}
	l.addSized("text", text, 5)
	l.addSized("opaque", opaque, 2)
	tab := &table{kind: items, layout: l, data: make([]byte, l.stride), pages: pages{korean, korean}}
	r := tab.record(0)
	for name, k := range map[string]struct {
		good, bad []string
	}{
		"u8": {[]string{"0", "255", "0xff", " 7 "}, []string{"-1", "256", "x", "", "1.5", "0xg"}}, "i8": {[]string{"-128", "127"}, []string{"-129", "128"}},
		"u16": {[]string{"0", "65535"}, []string{"-1", "65536"}}, "i16": {[]string{"-32768", "32767"}, []string{"-32769", "32768"}},
		"u32": {[]string{"0", "4294967295"}, []string{"-1", "4294967296"}}, "i32": {[]string{"-2147483648", "2147483647"}, []string{"2147483648", "-2147483649"}},
		"f32": {[]string{"1.5", "-0.25", "1e+10", " 3 "}, []string{"x", ""}}, "text": {[]string{"", "1234"}, []string{"12345", "a\x00b", "\U0001F600"}}, "opaque": {[]string{"00ff"}, []string{"00", "0011ff", "zz00", ""}},
	} {
		f, _ := l.field(name)
		for _, v := range k.good {
			want := strings.TrimSpace(v)
			if v == "0xff" {
				want = "255"
			}
			if err := f.set(r, v); err != nil || f.text(r) != want {
				t.Errorf("%s: %q became %q, %v", name, v, f.text(r), err)
			}
		}
		before := bytes.Clone(tab.data)
		for _, v := range k.bad {
			if err := f.set(r, v); err == nil || !bytes.Equal(tab.data, before) {
				t.Errorf("%s: %q was taken", name, v)
			}
		}
	}
	size := mobLayout(24, 11)
	monsters := &table{kind: mobs, layout: size, data: make([]byte, size.stride), pages: pages{korean, korean}}
	f, _ := size.field("size")
	for value, want := range map[string]string{"BIG": "BIG", "": "0", "SMALL": "SMALL", "0": "0"} { // dump_proto reads no word as no size
		if err := f.set(monsters.record(0), value); err != nil || f.text(monsters.record(0)) != want {
			t.Errorf("a size of %q: %s, %v", value, f.text(monsters.record(0)), err)
		}
	}
	for name, says := range map[string]string{"u8": `300 is not from 0 to 255`, "text": "the text has 6 bytes, the field holds 4", "opaque": "expected 4 hexadecimal digits"} {
		f, _ := l.field(name)
		if err := f.set(r, map[string]string{"u8": "300", "text": "123456", "opaque": "1"}[name]); err == nil || err.Error() != says {
			t.Errorf("%s: %v, want %s", name, err, says)
		}
	}
	f, _ = l.field("f32")
	f.set(r, "0.1")
	if v := f.value(r); v != 0.1 {
		t.Errorf("0.1 is %v", v)
	}
	f, _ = l.field("text")
	f.set(r, "long")
	f.set(r, "a")
	if !bytes.Equal(r.data[f.at:f.at+f.size], []byte("a\x00\x00\x00\x00")) || f.value(r) != "a" {
		t.Errorf("r.data[f.at : f.at+f.size] = %q; want r.data[f.at : f.at+f.size] equal to []byte(\"a\\x00\\x00\\x00\\x00\"), f.value(r) = \"a\"", r.data[f.at:f.at+f.size])
	}
	page, _ := packname.NewCodePage("1252", nil)
	if p := (pages{korean, page}); p.of(&field{locale: true}) != page || p.of(&field{}) != korean {
		t.Error("the code pages of names")
	}
}
