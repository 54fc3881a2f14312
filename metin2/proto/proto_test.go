package proto

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/internal/testkit/corpus"
)

func open(t testing.TB, path string) *Archive {
	t.Helper()
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	a, err := Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Differences between the client's files of the corpus and their text forms, by
// field. dump_proto leaves out of a mob_proto the fields that only the server needs, reads its
// races only if there is one, and cuts the damage to a whole number. It adds up the
// flags of an item that are duplicated, and did not know three words.
var leftOut = map[string]map[string]int{
	"item": {"anti_flags": 9, "subtype": 9},
	"mob": {"gold_min": 753, "gold_max": 753, "polymorph_item": 250, "resurrection_vnum": 22, "mount_capacity": 2, "dam_multiply": 124,
		"skill_vnum0": 97, "skill_level0": 97, "skill_vnum1": 47, "skill_level1": 47, "race_flag": 293,
		"sp_berserk": 158, "sp_stoneskin": 136, "sp_godspeed": 55, "sp_deathblow": 100, "sp_revive": 113},
}

func TestCorpusEqualsItsTextForms(t *testing.T) {
	dir := corpus.Dir(t, "metin2-proto")
	for kind, records := range map[string]int{"item": 5811, "mob": 1335} {
		t.Run(kind, func(t *testing.T) {
			a, b := open(t, filepath.Join(dir, kind+"_proto")), open(t, filepath.Join(dir, kind+"_proto.txt"))
			if a.count() != records || b.count() != records {
				t.Errorf("%s: %d records and %d in the text, want %d", kind, a.count(), b.count(), records)
			}
			for i := range a.count() {
				if a.record(i).vnum() != b.record(i).vnum() {
					t.Fatalf("%s: record %d is %d, in the text %d", kind, i, a.record(i).vnum(), b.record(i).vnum())
				}
			}
			changes, ok, err := a.DiffValues(b)
			if err != nil || !ok {
				t.Fatalf("ok = %v, err = %v; want no error, ok = true", ok, err)
			}
			got := map[string]int{}
			for _, c := range changes {
				_, field, _ := strings.Cut(c.Path, "/")
				got[field]++
			}
			if !maps.Equal(got, leftOut[kind]) {
				t.Errorf("%s differ in %v, want %v", kind, got, leftOut[kind])
			}
		})
	}
}

// A table goes through CSV and through the text form without a loss, and a client's
// file that is written anew has the same records.
func TestForms(t *testing.T) {
	dir := corpus.Dir(t, "metin2-proto")
	for _, kind := range []string{"item", "mob"} {
		a := open(t, filepath.Join(dir, kind+"_proto"))
		for form, items := range map[string][]archive.Item{".csv": archive.Items(a)[:1], "": archive.Items(a)[1:]} {
			path := filepath.Join(t.TempDir(), kind+"_proto"+form)
			create(t, path, items)
			b := open(t, path)
			if !bytes.Equal(a.data, b.data) {
				changes, _, _ := a.DiffValues(b)
				t.Errorf("%s%s: %d differences, the first %v", kind, form, len(changes), changes[:min(len(changes), 3)])
			}
		}
	}
}

func create(t testing.TB, path string, items []archive.Item) {
	t.Helper()
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (Format{}).Create(t.Context(), stage, items, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestEditsChangeOneRecord(t *testing.T) {
	a := open(t, filepath.Join(corpus.Dir(t, "metin2-proto"), "item_proto"))
	same, err := a.Set([]archive.Assignment{{Path: "19/buy_price", Value: "100"}})
	if err != nil || !bytes.Equal(same.Data, a.file) || len(same.Changes) != 0 {
		t.Errorf("setting what is there already: %v, %d changes", err, len(same.Changes))
	}
	edited, err := a.Set([]archive.Assignment{{Path: "19/buy_price", Value: "12345"}, {Path: "19/anti_flags", Value: "ANTI_SELL | ANTI_DROP"}, {Path: "19/name", Value: "칼"}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := readTable(edited.Data, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.count() {
		r := a.record(i)
		if same := bytes.Equal(r.data, b.record(i).data); same == (r.vnum() == 19) {
			t.Errorf("record %d: the same is %v", r.vnum(), same)
		}
	}
	for path, want := range map[string]string{"19/buy_price": "12345", "19/anti_flags": "ANTI_DROP | ANTI_SELL", "19/name": "칼", "19/type": "ITEM_WEAPON"} {
		v, err := b.Get(path)
		if err != nil || v[0].Text != want {
			t.Errorf("%s is %v, %v; want %s", path, v, err, want)
		}
	}
	for path, value := range map[string]string{"19/type": "SWORD", "19/magic_pct": "256", "19/name": strings.Repeat("x", 25), "19/vnum": "3", "4/name": "x", "19/prize": "1", "x": ""} {
		if _, err := a.Set([]archive.Assignment{{Path: path, Value: value}}); err == nil {
			t.Errorf("%s=%s was taken", path, value)
		}
	}
}

// Every struct of the formula is found by its records.
func TestStrides(t *testing.T) {
	want := map[int]int{156: 38, 152: 37, 158: 39, 163: 42, 180: 44}
	for _, l := range append(itemLayouts(), itemLayout(true, 64, 4), itemLayout(false, 24, 5).addRest(165)) {
		tab := &table{kind: items, layout: l, data: make([]byte, 3*l.stride), pages: pages{korean, korean}}
		for i := range 3 {
			r := tab.record(i)
			for c := range l.fields {
				f := &l.fields[c]
				if err := f.set(r, map[fieldType]string{text: strings.Repeat("n", f.size-1), opaque: strings.Repeat("7f", f.size)}[f.typ]+strings.Repeat(fmt.Sprint(3+i), boolInt(f.typ != text && f.typ != opaque))); err != nil {
					t.Fatal(err)
				}
			}
		}
		found := items.layoutFor(l.stride, tab.data)
		if names := fieldNames(found); !slices.Equal(names, fieldNames(l)) || want[l.stride] != 0 && want[l.stride] != len(names) {
			t.Errorf("stride %d: found %d fields %v", l.stride, len(names), names)
		}
	}
	if l := items.layoutFor(40, bytes.Repeat([]byte{1}, 40)); l.restSize() != 36 {
		t.Errorf("a struct that is not known has %d unknown bytes", l.restSize())
	}
}

func fieldNames(l *layout) (names []string) {
	for _, f := range l.fields {
		names = append(names, f.name)
	}
	return names
}

func TestTextFormsAreReadAsDumpProtoReadsThem(t *testing.T) {
	header := string((&table{kind: items, layout: itemLayouts()[0]}).textForm())
	tab, err := items.readText([]byte(header+"20~29\tlong name of more than 24 bytes\tITEM_NEW\tARMOR_HEAD\t12x\tANTI_SELL | ANTI_NEW\n10\tb\t2\t1\n"), []byte("VNUM\tLOCALE_NAME\n10\tSword\n"), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"20/vnum_range": "9", "20/name": "long name of more than 2", "20/type": "255", "20/subtype": "1", "20/size": "12",
		"20/anti_flags": "ANTI_SELL", "10/type": "ITEM_ARMOR", "10/subtype": "ARMOR_HEAD", "10/locale_name": "Sword"} {
		if v, err := tab.Get(path); err != nil || v[0].Text != want {
			t.Errorf("%s is %v, %v; want %s", path, v, err, want)
		}
	}
	if words := tab.unknownWords(); !slices.Equal(words, []string{"ITEM_NEW", "ANTI_NEW"}) || len(tab.notes) != 3 {
		t.Errorf("unknown words %v, notes %v", words, tab.notes)
	}
}

// The suite runs on a small table, because a table holds no other files.
func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Blind: true, File: func(t *testing.T) string {
		path := filepath.Join(t.TempDir(), "item_proto")
		create(t, path, []archive.Item{archivetest.Item("item_proto.csv", []byte("vnum,name,locale_name,type\n1,a,b,ITEM_WEAPON\n2,c,d,0\n"))})
		return path
	}})
}

func FuzzOpen(f *testing.F) {
	small := &table{kind: mobs, layout: mobLayout(24, 11), mark: markMobs, object: "MCOZ", key: mobs.key}
	small.data = make([]byte, 2*small.layout.stride)
	file, err := small.file()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(small.csv())
	f.Add(small.textForm())
	f.Add([]byte("vnum,name,locale_name,type\n1,a,b,ITEM_WEAPON\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Open(t.Context(), archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "x"}, archive.Options{MaxEntrySize: 1 << 16})
		if err != nil {
			return
		}
		again, err := readCSV(a.csv(), a.table, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.byVnum()) == a.count() && !bytes.Equal(again.data, a.data) {
			t.Error("the table is another after CSV")
		}
		for _, e := range a.Entries() {
			if _, err := fs.ReadFile(a, e.Name); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestWrongKey(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(corpus.Dir(t, "metin2-proto"), "mob_proto"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = readTable(file, archive.Options{Keys: archive.Keys{"metin2-mob-proto": "1,2,3,4"}})
	if err == nil || !strings.Contains(err.Error(), "key") {
		t.Errorf("with a wrong key: %v", err)
	}
	if _, err := readTable(file, archive.Options{Keys: archive.Keys{"metin2-mob-proto": "4813894, 18955, 552631, 0x68189d"}}); err != nil {
		t.Error(err)
	}
}
