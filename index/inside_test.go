package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// A value is converted to the type of its column. An unknown value is null if the column
// allows it, and empty otherwise.
func TestValues(t *testing.T) {
	n := int64(7)
	for _, k := range []struct {
		typ  Type
		null bool
		in   any
		want any
	}{
		{Integer, false, nil, int64(0)}, {Real, false, nil, 0.0}, {Boolean, false, nil, false}, {Text, false, nil, ""}, {Integers, false, nil, []*int64{}},
		{Integer, true, nil, nil}, {Text, true, nil, nil}, {Bytes, true, nil, nil},
		{Text, false, "", ""}, {Text, true, "", nil}, {Text, true, "x", "x"}, {Bytes, false, "00ff", []byte{0, 255}}, {Bytes, true, "", []byte{}},
		{Integer, false, 7, int64(7)}, {Integer, true, uint32(math.MaxUint32), int64(math.MaxUint32)}, {Real, false, 7, 7.0}, {Real, false, int64(7), 7.0}, {Text, false, int64(-7), "-7"},
		{Integer, true, (*int64)(nil), nil}, {Integer, false, (*int64)(nil), int64(0)}, {Integer, true, &n, int64(7)}, {Real, true, json.Number("1.25"), 1.25}, {Boolean, false, true, true}, {Real, false, 0.5, 0.5},
	} {
		c := Column{Type: k.typ, Null: k.null, Size: 2}
		if got := c.value(k.in); !reflect.DeepEqual(got, k.want) {
			t.Errorf("%v in a column of type %s: %#v, want %#v", k.in, k.typ, got, k.want)
		}
	}
	if got := (&Column{Type: Bytes, Size: 3}).value(nil); !reflect.DeepEqual(got, []byte{0, 0, 0}) {
		t.Errorf("got = %#v; want got equal to []byte{0, 0, 0}", got)
	}
	if got := (&Column{Type: Bytes}).value(Hash{1, 2}).([]byte); len(got) != 32 || got[0] != 1 || got[1] != 2 {
		t.Errorf("got = %#v; want got of length 32, got[0] = 1, got[1] = 2", got)
	}
	if notNegative(-1) != nil || notNegative(0) != int64(0) {
		t.Error("numbers that are not negative")
	}
}

// A column has its unit. Columns for times of files are in nanoseconds.
func TestUnits(t *testing.T) {
	for _, k := range []struct {
		c    Column
		want string
		unit int64
	}{
		{Column{Fact: &fact.Fact{Doc: "size", Kind: fact.Bytes}}, "size (bytes)", 1}, {Column{Fact: &fact.Fact{Doc: "time", Kind: fact.Time}}, "time (milliseconds)", 1},
		{Column{Fact: &fact.Fact{Doc: "time", Kind: fact.Time}, Nano: true}, "time (nanoseconds)", 1_000_000}, {Column{Fact: &fact.Fact{Doc: "name", Kind: fact.Text}}, "name", 1},
	} {
		if got := k.c.Sentence(); got != k.want || k.c.Unit() != k.unit {
			t.Errorf("%s, %d, want %s", got, k.c.Unit(), k.want)
		}
	}
	for kind, want := range map[fact.Kind]Type{fact.Text: Text, fact.Login: Text, fact.Count: Integer, fact.Moment: Integer, fact.Number: Real, fact.Flag: Boolean, fact.Hash: Bytes, fact.Times: Integers, fact.Object: "", fact.List: ""} {
		if got := typeOf(kind); got != want {
			t.Errorf("%s: got = %q; want %q", kind, got, want)
		}
	}
	for i, table := range Tables() {
		if named, ok := TableNamed(table.Name); !ok || named != table || table.number != i || table.Columns()[0].Ref != true && table != filesTable {
			t.Errorf("table %s", table.Name)
		}
	}
	if _, ok := TableNamed("none"); ok {
		t.Error("there is a table none")
	}
	// The columns are there for whoever asks first, each name once.
	parts := func() [][]Column {
		return [][]Column{{always("a", fact.Text, "first")}, {always("b", fact.Text, ""), maybe("a", fact.Count, "second")}}
	}
	if c := NewTable("x", "", parts).Columns(); len(c) != 2 || c[0].Doc != "first" || c[1].Name != "b" || !c[0].Own || c[0].Null {
		t.Errorf(`c = %+v; want c of length 2, c[0].Doc = "first", c[1].Name = "b", c[0].Own = true, c[0].Null = false`, c)
	}
	if at := NewTable("x", "", parts).at(); at["a"] != 0 || at["b"] != 1 || len(at) != 2 {
		t.Errorf(`at = %v; want at["a"] = 0, at["b"] = 1, at of length 2`, at)
	}
}

// Names that need not be UTF-8 are marked: databases with strict texts must not get them
// as they are.
func TestRawNames(t *testing.T) {
	var raw []string
	for _, table := range Tables() {
		for _, c := range table.Columns() {
			if c.Raw {
				raw = append(raw, table.Name+"."+c.Name)
			}
		}
	}
	if got := strings.Join(raw, " "); got != rawNames {
		t.Errorf("%s, want %s", got, rawNames)
	}
}

const rawNames = "files.path files.name files.error_entry embedded.name entries.name findings.entry"

// A map in a replay that cannot be entered any more makes the replay's row a partial one,
// with the reason; the replay's own rows are there.
func TestMapNotEntered(t *testing.T) {
	data, err := os.ReadFile("../samples/trackmania/Sample.Replay.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{Indexer: &Indexer{}, ctx: t.Context(), formats: pakbox.Formats(), rows: &Rows{}, bytes: maxUnpacked}
	w.file(Source{Input: archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.Replay.Gbx"}, Path: "a.Replay.Gbx"}, nil, 0)
	get := func(column string) any { return w.rows.Get(filesTable, 0, column) }
	if w.rows.Len(filesTable) != 1 || get("status") != StatusPartial || get("error_kind") != string(fault.Limit) || get("error_entry") != "map.Map.Gbx" || w.rows.Len(replaysTable) != 1 || w.rows.Get(replaysTable, 0, "map_file") != nil || w.rows.Len(ghostsTable) == 0 {
		t.Errorf("w.rows.Row(filesTable, 0) = %v", w.rows.Row(filesTable, 0))
	}
}

// Rows are added by name or in order. A name or a number of values that is wrong is a
// mistake of the program, and is not overlooked.
func TestMistakes(t *testing.T) {
	for name, add := range map[string]func(r *Rows){
		"no column":   func(r *Rows) { r.Add("files", map[string]any{"none": 1}) },
		"few values":  func(r *Rows) { r.add(mapItemsTable, 1, "a") },
		"many values": func(r *Rows) { r.add(mapItemsTable, 1, "a", 2, 3) },
		"an object":   func(*Rows) { column(&fact.Fact{Name: "x", Kind: fact.Object}, false) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			add(&Rows{})
		}()
	}
	r := &Rows{}
	if _, ok := r.Content(); ok || r.Has(StatusOK) {
		t.Error("no rows have a content")
	}
	r.Add("files", map[string]any{"path": "a", "status": StatusDamaged})
	if _, ok := r.Content(); ok || r.Has(StatusOK) || !r.Has(StatusDamaged) {
		t.Error("a file that could not be read has a content")
	}
	r = &Rows{}
	r.Add("files", map[string]any{"path": "a", "blake3": Hash{9}})
	if hash, ok := r.Content(); !ok || hash != (Hash{9}) {
		t.Errorf("hash = %v, ok = %t; want ok = true, hash = Hash{9}", hash, ok)
	}
}

// The hashes that find maps with the same blocks are the same on every machine: the
// index of a large collection is made on many, and kept.
func TestHashesAreKept(t *testing.T) {
	if got := fmt.Sprintf("%016x %016x %016x", hashName("StadiumRoadMain"), mix(1), placed(7, gbx.Int3{X: 1, Y: 2, Z: 3})); got != keptHashes {
		t.Errorf("got = %v; want %v", got, keptHashes)
	}
	if f := factors(); fmt.Sprintf("%016x %016x", f[0], f[63]) != keptFactors || f[0]%2 != 1 || f[63]%2 != 1 {
		t.Errorf(`f[0] = %016x f[63] = %016x; want fmt.Sprintf("%%016x %%016x", f[0], f[63]) = %v, f[0] %% 2 = 1, f[63] %% 2 = 1`, f[0], f[63], keptFactors)
	}
	if hashName("") != 0xcbf29ce484222325 || hashName("a") != 0xaf63dc4c8601ec8c { // the vectors of FNV-1a
		t.Error("this is not FNV-1a")
	}
	places := []uint64{5, 3, 9, 4, 8}
	for n, want := range map[int]uint64{0: math.MaxUint64, 1: 5, 2: 3, 3: 3, 5: 3} {
		if got := least(places[:n], 1); got != want {
			t.Errorf("the least of %v is %d", places[:n], got)
		}
	}
	if got := least([]uint64{9, 8, 1}, 2); got != 2 {
		t.Errorf("got = %d; want 2", got)
	}
	a, b := make([]byte, 4*minHashes), make([]byte, 4*minHashes)
	for i := range 16 {
		b[4*i+3] = 1
	}
	if Similarity(a, a) != 1 || Similarity(a, b) != 0.75 || Similarity(a, b[4:]) != 0 || Similarity(nil, nil) != 0 || Similarity(a[4:], b) != 0 {
		t.Errorf("Similarity(a, b) = %v; want Similarity(a, a) = 1, Similarity(a, b) = 0.75, Similarity(a, b[4:]) = 0, Similarity(nil, nil) = 0, Similarity(a[4:], b) = 0", Similarity(a, b))
	}
	var names blockNames
	x, y := names.add("x", 2), names.add("y", 1)
	if names.add("x", 3) != x || names.add("y", 1) != y || x == y || len(names.list) != 2 || names.list[0].count != 5 || names.list[1].count != 2 {
		t.Errorf(`names.list = %+v; want names.add("x", 3) = %v, names.add("y", 1) = %v, x other than %v, names.list of length 2, names.list[0].count = 5, names.list[1].count = 2`, names.list, x, y, y)
	}
}

// Presses count and releases do not; a wheel counts with every move, and its turns back
// are spikes.
func TestCounts(t *testing.T) {
	got := countInputs([]runs.Input{{Name: "Accelerate", Value: 1}, {Name: "Accelerate"}, {Name: "SteerLeft", Value: 1}, {Name: "SteerRight", Value: 1}, {Name: "Steer"}, {Name: "Steer", Value: -5}, {Name: "Horn", Value: 1}, {Name: "Other", Value: 1}, {Name: "SecondaryRespawn", Value: 1}})
	if want := map[string]int64{"accelerate": 1, "steer_keys": 2, "steer_analog": 2, "horn": 1, "respawn": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, k := range []struct {
		moves []int32
		want  int64
	}{{nil, 0}, {[]int32{1, 2, 3}, 0}, {[]int32{1, 2, 1}, 1}, {[]int32{1, 1, 0, 0, 1}, 2}, {[]int32{-1, -2, -1, 5, 4}, 2}, {[]int32{0, 0, 0}, 0}, {[]int32{1, 0, 1, 0}, 3}, {[]int32{5, 4, 4, 3}, 1}, {[]int32{5, 4, 4, 5}, 2}, {[]int32{1, 2, 2, 3}, 0}, {[]int32{-1, -1, -2}, 0}} {
		var list []runs.Input
		for _, m := range k.moves {
			list = append(list, runs.Input{Name: "Steer", Analog: true, Value: m}, runs.Input{Name: "Steer", Value: 99}, runs.Input{Name: "Brake", Analog: true, Value: 99})
		}
		if got := spikes(list); got != k.want {
			t.Errorf("%v has %d spikes, want %d", k.moves, got, k.want)
		}
	}
}

// The maps that were read last are remembered, and no more of them.
func TestRemembered(t *testing.T) {
	k := &MapCache{}
	hash := func(i int) Hash { return Hash{byte(i), byte(i >> 8)} }
	if k.get(hash(0)) != nil {
		t.Error("a map is known before any was read")
	}
	first := &knownMap{bytes: 1}
	k.put(hash(0), first)
	k.put(hash(0), &knownMap{bytes: 2})
	if k.get(hash(0)) != first {
		t.Error("a map that is known was put again")
	}
	for i := 1; i < knownMaps; i++ {
		k.put(hash(i), &knownMap{})
	}
	if len(k.maps) != knownMaps || k.get(hash(0)) != first {
		t.Errorf("%d maps", len(k.maps))
	}
	k.put(hash(knownMaps), &knownMap{})
	if len(k.maps) != knownMaps || len(k.order) != knownMaps || k.get(hash(0)) != nil || k.get(hash(1)) == nil || k.get(hash(knownMaps)) == nil {
		t.Errorf("%d maps, of which the oldest is %v", len(k.maps), k.order[0])
	}
}

// An error becomes a kind and a sentence without the path of the file.
func TestErrorColumns(t *testing.T) {
	for _, k := range []struct {
		err           error
		kind, message string
	}{
		{fs.ErrNotExist, "not_found", "file does not exist"}, {&fs.PathError{Op: "open", Path: "d/f", Err: fs.ErrPermission}, "permission", "permission denied"}, {ChangedError(), "changed", "the file changed while it was read"},
		{errors.New("other"), "io", "other"}, {io.ErrUnexpectedEOF, "io", "unexpected EOF"}, {fault.InFile(fault.New(fault.Corrupt, "bad"), "d/f"), "corrupt", "bad"},
	} {
		if kind, text := string(fault.KindOfAny(k.err)), fault.DetailOf(k.err); kind != k.kind || text != k.message {
			t.Errorf("%v: kind = %s, text = %q; want kind = %s, text = %q", k.err, kind, text, k.kind, k.message)
		}
	}
	for _, k := range []struct {
		err    error
		status string
	}{{fault.New(fault.Key, "x"), StatusLocked}, {fault.New(fault.Truncated, "x"), StatusDamaged}, {fault.New(fault.Pointer, "x"), StatusDamaged}, {fault.New(fault.Unsupported, "x"), StatusUnsupported}, {fault.New(fault.Limit, "x"), StatusUnsupported}} {
		f := newFile("a/b", StatusOK, 3, nil)
		if f.refuse(k.err); f.get("status") != k.status || f.get("error_message") != "x" || f.get("error_offset") != nil {
			t.Errorf("%v: %v, %v", k.err, f.get("status"), f.row)
		}
	}
	f := newFile("a/b", StatusOK, 3, nil)
	f.miss(fault.InEntry(fault.At(fault.Corrupt, 5, "", "one"), "e"))
	f.miss(errors.New("two"))
	if f.get("status") != StatusPartial || f.get("error_kind") != "corrupt" || f.get("error_entry") != "e" || f.get("error_offset") != int64(5) || f.get("name") != "b" || f.get("size") != int64(3) {
		t.Errorf("f.row = %v", f.row)
	}
	damaged, locked := fault.New(fault.Corrupt, "x"), fault.New(fault.Key, "x")
	for _, k := range []struct {
		list []error
		lost bool
	}{{nil, false}, {[]error{damaged}, true}, {[]error{damaged, nil}, false}, {[]error{nil, damaged}, false}, {[]error{damaged, damaged}, true}, {[]error{locked}, false}} {
		var list []archive.Entry
		for _, err := range k.list {
			list = append(list, archive.Entry{Problem: err})
		}
		if got := nothingLeft(list); (got != nil) != k.lost {
			t.Errorf("%v: got = %v; want got is not nil exactly if k.lost", k.list, got)
		}
	}
}

// Texts are searched without regard to case, each once, and without spaces around them.
func TestPhrases(t *testing.T) {
	p := &phrases{}
	for _, s := range []string{" Ada ", "ADA", "", "  ", "$f00Bob", "ada"} {
		p.add(s)
	}
	if got := strings.Split(p.text(), "\n"); len(got) != 2 || got[0] != "ada" || !strings.Contains(got[1], "bob") {
		t.Errorf(`got = %q; want got of length 2, got[0] = "ada", got[1] with "bob"`, got)
	}
	var l Fingerprint
	if l.Hash() != strings.Repeat("0", 64) || l.Files != 0 {
		t.Errorf(`l.Hash() = %s; want l.Hash() = strings.Repeat("0", 64), l.Files = 0`, l.Hash())
	}
	var m Fingerprint
	l.Add("a", 1)
	l.Add("b", 2)
	m.Add("b", 2)
	m.Add("a", 1)
	if l.Hash() != m.Hash() || l.Files != 2 || len(l.Hash()) != 64 || l.Hash() != keptListing {
		t.Errorf("l.Hash() = %s, m.Hash() = %s; want l.Hash() = m.Hash(), l.Files = 2, l.Hash() of length 64, l.Hash() = %s", l.Hash(), m.Hash(), keptListing)
	}
	m.Add("a", 2)
	if l.Hash() == m.Hash() {
		t.Error("another file, and the same list")
	}
}

// Values that older indexes have. The first factor is the first number of SplitMix64 with
// the seed 0, as its makers publish it.
const (
	keptHashes  = "be17e15b22c45197 5692161d100b05e5 a1858b056f8682c8"
	keptFactors = "e220a8397b1dcdaf e255b237b8bb18fb"
	keptListing = "0d6e6bc62c65860c92715014911600f4d72c5314c5bf576ca98118af2acf785f"
)
