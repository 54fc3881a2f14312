package proto

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/fault"
)

// opened opens a table in memory.
func opened(t *testing.T, name, content string, opts archive.Options) *Archive {
	t.Helper()
	a, err := Open(t.Context(), archive.Input{ReaderAt: strings.NewReader(content), Size: int64(len(content)), Name: name}, opts)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// value is one value as text.
func value(t *testing.T, a interface {
	Get(string) ([]archive.Value, error)
}, path string) string {
	t.Helper()
	v, err := a.Get(path)
	if err != nil || len(v) != 1 || v[0].Path != path {
		t.Fatalf("%s: v = %v, err = %v; want no error, v of length 1, v[0].Path = %v", path, v, err, path)
	}
	return v[0].Text
}

const csvHead = "vnum,name,locale_name,type"

// Lines of a CSV that cannot be records are errors with the number of the line.
func TestWrongCSV(t *testing.T) {
	for text, k := range map[string]struct {
		kind fault.Kind
		says string
	}{
		"":                                      {fault.Truncated, "no first line"},
		csvHead + ",prize\n":                    {fault.Unsupported, "no known client"},
		"name,vnum,locale_name,type\na,1,b,0\n": {fault.BadEntry, "the first column must be vnum"},
		csvHead + "\n1,a,b\n":                   {fault.BadEntry, "line 2: wrong number of fields"},
		csvHead + "\n1,a,b,0\n2,\"a,b,0\n":      {fault.BadEntry, "line 3: "},
		csvHead + "\n1,a,b,0\n2,a,b,SWORD\n":    {fault.BadEntry, `line 3: "SWORD" is neither a number nor a word of type`},
		csvHead + "\nx,a,b,0\n":                 {fault.BadEntry, `line 2: "x" is not a number`},
		csvHead + "\n1," + strings.Repeat("n", 65) + ",b,0\n": {fault.BadEntry, "line 2: the text has 65 bytes"},
		csvHead + "\n1,a,b,256\n":                             {fault.BadEntry, "line 2: 256 is not from 0 to 255"},
	} {
		_, err := readCSV([]byte(text), nil, archive.Options{})
		if fault.KindOf(err) != k.kind || !strings.Contains(err.Error(), k.says) {
			t.Errorf("%q: %v, want %s", text, err, k.says)
		}
	}
	three := csvHead + "\n1,a,b,0\n2,a,b,0\n3,a,b,0\n"
	if tab, err := readCSV([]byte(three), nil, archive.Options{MaxEntrySize: 3 * 156}); err != nil || tab.count() != 3 {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := readCSV([]byte(three), nil, archive.Options{MaxEntrySize: 3*156 - 1}); !errors.Is(err, fault.Limit) {
		t.Errorf("above the limit: %v", err)
	}
	old := small(t, items, itemLayouts()[0], "1 a 0")
	if _, err := readCSV([]byte("vnum,resist_bow\n1,2\n"), old, archive.Options{}); fault.KindOf(err) != fault.BadEntry || !strings.Contains(err.Error(), `no field "resist_bow"`) {
		t.Errorf("a column of the other table: %v", err)
	}
}

// A CSV changes what it names. Fields without a column, and texts that stay the same, keep
// their bytes; records without a line go, and new ones begin with zeros.
func TestCSVChanges(t *testing.T) {
	old := small(t, items, itemLayouts()[0], "1 a ITEM_WEAPON", "2 b ITEM_ARMOR")
	name, _ := old.layout.field("name")
	price, _ := old.layout.field("buy_price")
	price.set(old.record(1), "77")
	old.record(1).data[name.at+5] = 'x' // behind the NUL
	before := bytes.Clone(old.data)
	now, err := readCSV([]byte("\ufeffvnum,name,type\n2,b,ITEM_USE\n3,c,1\n"), old, archive.Options{})
	if err != nil || now.count() != 2 || !bytes.Equal(old.data, before) {
		t.Fatalf("now = %+v, err = %v; want no error, now.count() = 2, old.data equal to before", now, err)
	}
	want := bytes.Clone(old.record(1).data)
	typ, _ := old.layout.field("type")
	want[typ.at] = 3
	if !bytes.Equal(now.record(0).data, want) {
		t.Errorf("% x\nwant\n% x", now.record(0).data, want)
	}
	for path, want := range map[string]string{"3/name": "c", "3/type": "ITEM_WEAPON", "3/buy_price": "0", "2/buy_price": "77"} {
		if got := value(t, now, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if now.version != old.version || now.mark != old.mark || now.key != old.key {
		t.Errorf("the file became another: %+v", now)
	}
	// Values that CSV quotes are read back.
	comma, _ := old.layout.field("locale_name")
	comma.set(now.record(0), `a, "b"`)
	if back, err := readCSV(now.csv(), now, archive.Options{}); err != nil || !bytes.Equal(back.data, now.data) {
		t.Errorf("err = %v\nnow.csv() = %s; want no error, back.data equal to now.data", err, now.csv())
	}
	if lines := strings.Split(string(now.csv()), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[0], "vnum,vnum_range,name,locale_name,type,") || strings.HasSuffix(lines[0], ",") || !strings.HasPrefix(lines[2], "3,0,c,,ITEM_WEAPON,") {
		t.Errorf("lines = %q", lines)
	}
	for columns, k := range map[string]*kind{"vnum,name,locale_name,type": items, "vnum,rank,locale_name,type": mobs} {
		tab, err := readCSV([]byte(columns+"\n"), nil, archive.Options{})
		if err != nil || tab.kind != k || tab.count() != 0 || tab.key != k.key || tab.mark != map[*kind]string{items: markItems, mobs: markMobs}[k] || tab.version != 1 || tab.object != "MCOZ" {
			t.Errorf("%s: tab = %+v, err = %v", columns, tab, err)
		}
	}
	if tab, err := readCSV([]byte("vnum,locale_name,mask_type\n1,x,2\n"), nil, archive.Options{}); err != nil || tab.layout.stride != 163 {
		t.Errorf("with a mask: %v", err)
	}
}

// A path is a vnum, or a vnum and a field. Of two records with the same vnum the later one
// is meant, as in the client. Errors suggest similar names.
func TestPaths(t *testing.T) {
	a := opened(t, "item_proto.csv", csvHead+"\n1,a,b,1\n2,first,b,0\n2,second,b,0\n", archive.Options{})
	if got := value(t, a, "2/name"); got != "second" {
		t.Errorf(`got = %v; want "second"`, got)
	}
	whole := value(t, a, "1")
	if !strings.HasPrefix(whole, "vnum = 1\nvnum_range = 0\nname = a\nlocale_name = b\ntype = ITEM_WEAPON\n") || strings.HasSuffix(whole, "\n") {
		t.Errorf("whole = %v; want whole beginning with \"vnum = 1\\nvnum_range = 0\\nname = a\\nlocale_name = b\\ntype = ITEM_WEAPON\\n\", whole not ending in \"\\n\"", whole)
	}
	v, err := a.Get("1")
	var members map[string]any
	if err != nil || json.Unmarshal(v[0].JSON, &members) != nil || members["vnum"] != 1.0 || members["type"] != "ITEM_WEAPON" || len(members) != len(a.layout.fields) {
		t.Errorf(`v[0].JSON = %s, err = %v; want no error, json.Unmarshal(v[0].JSON, &members) = nil, members["vnum"] = 1.0, members["type"] = "ITEM_WEAPON", members of length len(a.layout.fields)`, v[0].JSON, err)
	}
	if v, err := a.Get("1/type"); err != nil || string(v[0].JSON) != "1" || v[0].Text != "ITEM_WEAPON" {
		t.Errorf(`v[0].JSON = %s, err = %v; want no error, v[0].JSON = "1", v[0].Text = "ITEM_WEAPON"`, v[0].JSON, err)
	}
	for path, k := range map[string]struct {
		missing bool
		near    []string
	}{"x": {}, "": {}, "1/x/y": {missing: true}, "-1/name": {}, "4294967296": {}, "3/name": {missing: true}, "1/nmae": {missing: true, near: []string{"1/name"}}, "1/valu": {missing: true, near: []string{"1/value0"}}, "0": {missing: true}} {
		_, err := a.Get(path)
		var e *archive.ValueError
		if !errors.As(err, &e) || e.Missing != k.missing || e.Path != path || k.near != nil && !slices.Equal(e.Near, k.near) {
			t.Errorf("%s: err = %+v; want err of the type of e, e.Missing = %v, e.Path = %v, (k.near = nil or e.Near equal to %v)", path, err, k.missing, path, k.near)
		}
	}
	revision, err := a.Set([]archive.Assignment{{Path: "1/buy_price", Value: "258"}, {Path: "2/name", Value: "n"}})
	if err != nil || len(revision.Changes) != 2 || !strings.Contains(string(revision.Data), "\n1,0,a,b,ITEM_WEAPON,") {
		t.Fatalf("revision = %+v, err = %v; want no error, revision.Changes of length 2, revision.Data with \"\\n1,0,a,b,ITEM_WEAPON,\"", revision, err)
	}
	price, _ := a.layout.field("buy_price")
	if c := revision.Changes[0]; c.Offset != int64(price.at) || !bytes.Equal(c.Old, []byte{0, 0, 0, 0}) || !bytes.Equal(c.New, []byte{2, 1, 0, 0}) || c.OldText != "0" || c.NewText != "258" || c.Place != "1/buy_price" {
		t.Errorf("change %+v; want buy_price of item 1 from 0 to 258", c)
	}
	if c := revision.Changes[1]; c.Offset != int64(2*a.layout.stride+8) || c.OldText != "second" || c.NewText != "n" {
		t.Errorf(`c = %+v; want c.Offset = int64(2*a.layout.stride + 8), c.OldText = "second", c.NewText = "n"`, c)
	}
	if value(t, a, "1/buy_price") != "0" {
		t.Error("the archive itself has changed")
	}
	for path, says := range map[string]string{"1": "name a field", "1/vnum": "name a field", "1/type": "word of type"} {
		if _, err := a.Set([]archive.Assignment{{Path: path, Value: "x"}}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: err = %v; want an error with the text %q", path, err, says)
		}
	}
}

// Two tables are compared record by record: new ones, removed ones, then fields that
// differ. A field that only one has is added or removed.
func TestDifferences(t *testing.T) {
	a := opened(t, "a.csv", csvHead+",mask_type\n1,a,b,1,5\n2,b,b,0,6\n", archive.Options{})
	b := opened(t, "b.csv", csvHead+"\n3,x,b,0\n1,z,b,1\n", archive.Options{})
	list, ok, err := a.DiffValues(b)
	if err != nil || !ok {
		t.Fatalf("ok = %v, err = %v; want no error, ok = true", ok, err)
	}
	var got []string
	for _, c := range list {
		got = append(got, fmt.Sprint(c.Kind, " ", c.Path, " ", c.Old, " ", c.New))
	}
	for _, want := range []string{"added 3  a record", "removed 2 a record ", "changed 1/name a z", "removed 1/mask_type 5 "} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if len(got) < 2 || got[0] != "added 3  a record" || got[1] != "removed 2 a record " {
		t.Errorf(`got = %q; want len(got) at least 2, got[0] = "added 3 a record", got[1] = "removed 2 a record "`, got)
	}
	back, _, _ := b.DiffValues(a)
	if !slices.ContainsFunc(back, func(c archive.ValueChange) bool {
		return c.Kind == archive.Added && c.Path == "1/mask_type" && c.New == "5"
	}) {
		t.Errorf("back = %+v", back)
	}
	if same, ok, err := a.DiffValues(a); len(same) != 0 || !ok || err != nil {
		t.Errorf("same = %v; want empty same, ok = true, no error", same)
	}
	mob := opened(t, "mob_proto.csv", "vnum,name,locale_name,rank\n1,a,b,BOSS\n", archive.Options{})
	if _, ok, err := a.DiffValues(mob); ok || err != nil {
		t.Errorf("items and monsters: %t, %v", ok, err)
	}
}

// A text form is read line by line. A value that a client's file cannot hold is reported with its
// line, and items are in the order of their vnums.
func TestTextLines(t *testing.T) {
	header := string((&table{kind: items, layout: itemLayouts()[0]}).textForm())
	read := func(lines, names string) (*table, error) {
		return items.readText([]byte(header+lines), []byte(names), archive.Options{})
	}
	tab, err := read("9\tc\tITEM_USE\t0\tx1\n\n  \t\n3\ta\tITEM_NEW\n9\td\t-3\n4~6\te\n", "VNUM\tLOCALE_NAME\r\n9\tNine\r\n4~6\tRange\n7\n")
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for i := range tab.count() {
		r := tab.record(i)
		order = append(order, fmt.Sprint(r.vnumText(), " ", value(t, tab.with(r.data), fmt.Sprint(r.vnum(), "/name")), " ", value(t, tab.with(r.data), fmt.Sprint(r.vnum(), "/locale_name"))))
	}
	if want := []string{"3 a a", "4~6 e Range", "9 c Nine", "9 d Nine"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
	var notes []string
	for _, n := range tab.notes {
		notes = append(notes, fmt.Sprintf("%d %s: %s", n.line, n.field, n.message))
	}
	if want := []string{`2 size: size is a number, "x1" is read as 0`, `5 type: "ITEM_NEW" is not a word of type that is known`}; !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
	if text := string(tab.textForm()); !strings.HasPrefix(text, header) || !strings.Contains(text, "\n4~6\te\tITEM_NONE\t") || strings.Count(text, "\n") != 5 {
		t.Errorf("text = %s; want text beginning with %q, text with \"\\n4~6\\te\\tITEM_NONE\\t\", strings.Count(text, \"\\n\") = 5", text, header)
	}
	if names := string(tab.names()); names != "VNUM\tLOCALE_NAME\n3\ta\n4~6\tRange\n9\tNine\n9\tNine\n" {
		t.Errorf("names = %q; want \"VNUM\\tLOCALE_NAME\\n3\\ta\\n4~6\\tRange\\n9\\tNine\\n9\\tNine\\n\"", names)
	}
	renamed := tab.rename([]byte("VNUM\tLOCALE_NAME\n3\tThree\n4~6\tFour\n8\tEight\nx\ty\n9\n"))
	if got := string(renamed.names()); got != "VNUM\tLOCALE_NAME\n3\tThree\n4~6\tFour\n9\tNine\n9\tNine\n" || strings.Contains(string(tab.names()), "Three") {
		t.Errorf("got = %q; want got = \"VNUM\\tLOCALE_NAME\\n3\\tThree\\n4~6\\tFour\\n9\\tNine\\n9\\tNine\\n\", tab.names() without \"Three\"", got)
	}
	for line, says := range map[string]string{"x\ta\n": `line 2: "x" is not a vnum`, "1\ta\n5~4\tb\n": `line 3: "5~4" is not a range of vnums`, "5~x\tb\n": "range of vnums", "4294967296\ta\n": "not a vnum"} {
		if _, err := read(line, ""); fault.KindOf(err) != fault.BadEntry || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: err = %v; want a bad entry with the text %q", line, err, says)
		}
	}
	if tab, err := read("5~5\tb\n", ""); err != nil || value(t, tab, "5/vnum_range") != "0" {
		t.Errorf("a range of one: %v", err)
	}
	three := []byte(header + "1\ta\n2\tb\n")
	if _, err := items.readText(three, nil, archive.Options{MaxEntrySize: 3 * 156}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := items.readText(three, nil, archive.Options{MaxEntrySize: 3*156 - 1}); !errors.Is(err, fault.Limit) {
		t.Errorf("above the limit: %v", err)
	}
	mobHeader := string((&table{kind: mobs, layout: mobLayout(24, 11)}).textForm())
	tab, err = mobs.readText([]byte(mobHeader+"9\tx\tBOSS\n3\ty\tKING\n"), nil, archive.Options{})
	if err != nil || tab.record(0).vnum() != 9 || tab.mark != markMobs || value(t, tab, "3/rank") != "KING" {
		t.Errorf("monsters keep their order: %v", err)
	}
	f, _ := mobLayout(24, 11).field("dam_multiply")
	for text, want := range map[string]string{"1.5x": "x", "-2.25": "", ".5": ".5", "3": "", "": ""} {
		if _, left := f.leading(text); left != want {
			t.Errorf("%q leaves %q", text, left)
		}
	}
}

// The file of names beside a text form is used if it is there and not too large.
func TestNamesBeside(t *testing.T) {
	header := string((&table{kind: items, layout: itemLayouts()[0]}).textForm())
	content, names := header+"1\tkorean\n", "VNUM\tLOCALE_NAME\n1\tSword\n"
	for name, k := range map[string]struct {
		limit int64
		want  string
	}{"d/item_proto.txt": {0, "Sword"}, "d/Item_Proto.TXT": {0, "Sword"}, "d/other.txt": {0, "korean"}} {
		t.Run(name, func(t *testing.T) {
			in := archive.Input{ReaderAt: strings.NewReader(content), Size: int64(len(content)), Name: name, Sibling: func(name string) (archive.Input, io.Closer, error) {
				if name != "d/item_names.txt" {
					return archive.Input{}, nil, os.ErrNotExist
				}
				return archive.Input{ReaderAt: strings.NewReader(names), Size: int64(len(names))}, io.NopCloser(nil), nil
			}}
			a, err := Open(t.Context(), in, archive.Options{MaxEntrySize: k.limit})
			if err != nil {
				t.Fatal(err)
			}
			if got := value(t, a, "1/locale_name"); got != k.want {
				t.Errorf("%s: %s, want %s", name, got, k.want)
			}
			if a.form != asText || a.Format() != "metin2proto" {
				t.Errorf(`%s: a.form = %s; want a.form = %s, a.Format() = "metin2proto"`, name, a.form, asText)
			}
			if _, err := a.Set([]archive.Assignment{{Path: "1/name", Value: "x"}}); err == nil || !strings.Contains(err.Error(), "convert the text form") {
				t.Errorf("a value of a text form is set: %v", err)
			}
		})
	}
	short := archive.Input{ReaderAt: strings.NewReader(content), Size: int64(len(content)), Name: "item_proto.txt"}
	if _, err := Open(t.Context(), short, archive.Options{MaxEntrySize: int64(len(content)) - 1}); !errors.Is(err, fault.Limit) {
		t.Errorf("a file above the limit: %v", err)
	}
	other := archive.Input{ReaderAt: strings.NewReader("other"), Size: 5, Name: "x"}
	if _, err := Open(t.Context(), other, archive.Options{}); !errors.Is(err, fault.NotFormat) {
		t.Errorf("another file: %v", err)
	}
	for head, want := range map[string]form{"": unknown, "MIP": unknown, "MIPX": client, "MIPTx": client, "MMPT": client, "vnum,x,locale_name,y\n": asCSV, "vnum,rest\n": asCSV, "vnum,x\nlocale_name": unknown, "x,vnum,locale_name,\n": unknown,
		"vnum\tname\trank\ttype\tbattle_type\n": asText, "VNUM\tNAME\tRANK\n": unknown, "a\tITEM_TYPE\tSUB_TYPE\tSIZE\tANTI_FLAG\tFLAG\tx\n": asText, "\x00\tITEM_TYPE\tSUB_TYPE\tSIZE\tANTI_FLAG\tFLAG\t\n": unknown} {
		if got := formOf([]byte(head)); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// A table is made of one CSV, or of a text form and its names, and edits replace it in the
// same way. Nothing else is taken.
func TestEdits(t *testing.T) {
	header := string((&table{kind: items, layout: itemLayouts()[0]}).textForm())
	csv := archivetest.Item("d/Item_Proto.csv", []byte(csvHead+"\n1,a,b,ITEM_WEAPON\n"))
	text, names := archivetest.Item("item_proto.txt", []byte(header+"1\tx\tITEM_USE\n")), archivetest.Item("item_names.txt", []byte("V\tL\n1\tSword\n"))
	mob := archivetest.Item("mob_proto.txt", (&table{kind: mobs, layout: mobLayout(24, 11)}).textForm())
	dir := t.TempDir()
	stage := func(name string) *archive.Stage {
		t.Helper()
		s, err := archive.NewStage(filepath.Join(dir, name), true)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Abort() })
		return s
	}
	for name, list := range map[string][]archive.Item{"nothing": nil, "two": {csv, csv}, "another": {archivetest.Item("x.dds", nil)}, "names alone": {names}, "no text form": {archivetest.Item("item_proto.txt", []byte("x"))}} {
		if err := (Format{}).Create(t.Context(), stage("new"), list, archive.CreateOptions{}); err == nil {
			t.Errorf("a table is made of %s", name)
		}
	}
	if err := (Format{}).Create(t.Context(), stage("item_proto.txt"), []archive.Item{csv}, archive.CreateOptions{}); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "two files") {
		t.Errorf("a text form: %v", err)
	}
	create(t, filepath.Join(dir, "item_proto"), []archive.Item{text, names})
	a := open(t, filepath.Join(dir, "item_proto"))
	if value(t, a, "1/locale_name") != "Sword" || a.form != client {
		t.Errorf(`a.csv() = %s; want value(t, a, "1/locale_name") = "Sword", a.form = %v`, a.csv(), client)
	}
	create(t, filepath.Join(dir, "item_proto.CSV"), []archive.Item{csv})
	if data, err := os.ReadFile(filepath.Join(dir, "item_proto.CSV")); err != nil || !bytes.HasPrefix(data, []byte("vnum,vnum_range,")) {
		t.Errorf(`data = %.50s, err = %v; want no error, data beginning with []byte("vnum,vnum_range,")`, data, err)
	}
	edit := func(a *Archive, items ...archive.Item) (*Archive, error) {
		t.Helper()
		var edits []archive.Edit
		for i := range items {
			edits = append(edits, archive.Edit{Put: &items[i]})
		}
		s := stage("edited")
		if err := a.Edit(t.Context(), s, edits, archive.CreateOptions{}); err != nil {
			return nil, err
		}
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		return open(t, filepath.Join(dir, "edited")), nil
	}
	a.version = 9
	for name, k := range map[string]struct {
		put  []archive.Item
		want string
	}{"nothing": {nil, "x|Sword|ITEM_USE"}, "names": {[]archive.Item{archivetest.Item("item_names.txt", []byte("V\tL\n1\tAxe\n"))}, "x|Axe|ITEM_USE"}, "a CSV": {[]archive.Item{csv}, "a|b|ITEM_WEAPON"},
		"a text form": {[]archive.Item{archivetest.Item("item_proto.txt", []byte(header+"1\ty\tITEM_ROD\n"))}, "y|Sword|ITEM_ROD"}} {
		b, err := edit(a, k.put...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := value(t, b, "1/name") + "|" + value(t, b, "1/locale_name") + "|" + value(t, b, "1/type"); got != k.want || b.form != client {
			t.Errorf("%s: %s, want %s", name, got, k.want)
		}
		if name == "nothing" && !bytes.Equal(b.file, a.file) || name != "nothing" && b.version != 9 {
			t.Errorf("%s: version %d, or other bytes", name, b.version)
		}
	}
	if _, err := edit(a, mob); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "items cannot become one of mobs") {
		t.Errorf("items become monsters: %v", err)
	}
	if _, err := edit(a, archivetest.Item("item_proto.csv", []byte("no CSV of a table\n1\n"))); fault.KindOf(err) != fault.BadEntry {
		t.Errorf("what is not a table is put: %v", err)
	}
	for _, e := range []archive.Edit{{Remove: "item_proto.csv"}, {Rename: &archive.Rename{From: "a", To: "b"}}} {
		if err := a.Edit(t.Context(), stage("none"), []archive.Edit{e}, archive.CreateOptions{}); !errors.Is(err, fault.Unsupported) {
			t.Errorf("%+v: err = %v; want err matching fault.Unsupported", e, err)
		}
	}
}

// Facts, groups and findings of a table.
func TestCards(t *testing.T) {
	header := string((&table{kind: items, layout: itemLayouts()[0]}).textForm())
	a := opened(t, "x.txt", header+"5\ta\tITEM_NEW\n5\tb\tITEM_NEW\n7\tc\t1\n", archive.Options{})
	facts := map[string]any{}
	for _, f := range a.Facts() {
		facts[f.Name] = f.Value
	}
	for name, want := range map[string]any{"records": 3, "form": "text", "stride": 156, "fields": len(a.layout.fields), "first_vnum": uint32(5), "last_vnum": uint32(7), "unknown_words": []string{"ITEM_NEW"}} {
		if fmt.Sprint(facts[name]) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", name, facts[name], want)
		}
	}
	if _, ok := facts["unknown_bytes"]; ok {
		t.Errorf("%v bytes are unknown", facts["unknown_bytes"])
	}
	r, err := a.Verify(t.Context(), archive.Options{})
	if err != nil || r.Entries != 3 || r.Bytes != 3*156 || len(r.Findings) != 3 {
		t.Fatalf("r = %+v, err = %v; want no error, r.Entries = 3, r.Bytes = 3 * 156, r.Findings of length 3", r, err)
	}
	if f := r.Findings[0]; !strings.HasPrefix(f.Message, "line 2: ") || f.Position.Field != "type" {
		t.Errorf(`f = %+v; want f.Message beginning with "line 2: ", f.Position.Field = "type"`, f)
	}
	if f := r.Findings[2]; f.Position.Entry != "5" || !strings.Contains(f.Message, "same vnum") {
		t.Errorf(`f = %+v; want f.Position.Entry = "5", f.Message with "same vnum"`, f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Verify(ctx, archive.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	groups := a.Groups()
	if len(groups) != 3 || groups[2].Folder != "7" || groups[2].Size != 156 || !groups[2].Row || len(groups[2].Summary) != 4 || len(groups[2].Facts()) != len(a.layout.fields) {
		t.Errorf("groups = %+v", groups)
	}
	var names []string
	for i, e := range a.Entries() {
		names = append(names, e.Name)
		f, err := a.OpenEntry(i)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if want := [][]byte{a.csv(), a.textForm(), a.names()}[i]; err != nil || !bytes.Equal(data, want) || e.Size != -1 || !e.Form {
			t.Errorf("%s: err = %v, e = %+v; want no error, data equal to want, e.Size = -1, e.Form = true", e.Name, err, e)
		}
	}
	if !slices.Equal(names, []string{"item_proto.csv", "item_proto.txt", "item_names.txt"}) {
		t.Errorf(`names = %q; want names equal to []string{"item_proto.csv", "item_proto.txt", "item_names.txt"}`, names)
	}
	empty := opened(t, "x.csv", csvHead+"\n", archive.Options{})
	for _, f := range empty.Facts() {
		if f.Name == "first_vnum" || f.Name == "last_vnum" {
			t.Errorf("%s of an empty table is %v", f.Name, f.Value)
		}
	}
	for i, k := range (Format{}).KeyKinds() {
		if k.Name != []string{"metin2-item-proto", "metin2-mob-proto"}[i] || k.Kind("1,2,3,4") != "metin2proto" || k.Kind("1,2") != "" {
			t.Errorf(`k = %+v; want k.Name = []string{"metin2-item-proto", "metin2-mob-proto"}[i], k.Kind("1,2,3,4") = "metin2proto", k.Kind("1,2") = ""`, k)
		}
	}
}
