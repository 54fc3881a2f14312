package proto

import (
	"bytes"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
)

const mergeHead = "vnum,name,locale_name,type,buy_price\n"

// Putting a part of a table must not remove the rest of it, unless the caller asks for it.
func TestPutMerges(t *testing.T) {
	all := mergeHead + "10,a,A,ITEM_USE,1\n20,b,B,ITEM_USE,2\n30,c,C,ITEM_USE,3\n"
	twice := mergeHead + "10,a,A,ITEM_USE,1\n10,b,B,ITEM_USE,2\n5,c,C,ITEM_USE,3\n"
	for _, k := range []struct {
		name, table, put  string
		removeMissing     bool
		want              []string // vnum:name:buy_price
		changed, add, rem int
	}{
		{name: "one value", table: all, put: "vnum,buy_price\n20,7\n", want: []string{"10:a:1", "20:b:7", "30:c:3"}, changed: 1},
		{name: "the whole table", table: all, put: all, want: []string{"10:a:1", "20:b:2", "30:c:3"}},
		{name: "a new record", table: all, put: mergeHead + "15,n,N,ITEM_USE,9\n", want: []string{"10:a:1", "15:n:9", "20:b:2", "30:c:3"}, add: 1},
		{name: "only these", table: all, put: "vnum,buy_price\n20,7\n", removeMissing: true, want: []string{"20:b:7"}, changed: 1, rem: 2},
		{name: "the record that the client uses", table: twice, put: "vnum,buy_price\n10,7\n", want: []string{"10:a:1", "10:b:7", "5:c:3"}, changed: 1},
		{name: "a table in no order", table: twice, put: mergeHead + "7,n,N,ITEM_USE,9\n", want: []string{"10:a:1", "10:b:2", "5:c:3", "7:n:9"}, add: 1},
	} {
		t.Run(k.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "item_proto")
			create(t, path, []archive.Item{archivetest.Item("item_proto.csv", []byte(k.table))})
			a := open(t, path)
			item := archivetest.Item("item_proto.csv", []byte(k.put))
			edits := []archive.Edit{{Put: &item, RemoveMissing: k.removeMissing}}
			effect, err := a.EditEffect(t.Context(), edits, archive.CreateOptions{})
			if err != nil || effect.Changed != k.changed || effect.Added != k.add || effect.Removed != k.rem {
				t.Fatalf("EditEffect = %+v, %v; want %d changed, %d added, %d removed", effect, err, k.changed, k.add, k.rem)
			}
			stage, err := archive.NewStage(path, true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			if err := a.Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := stage.Commit(); err != nil {
				t.Fatal(err)
			}
			b := open(t, path)
			var got []string
			for i := range b.count() {
				got = append(got, cell(b, i, "vnum")+":"+cell(b, i, "name")+":"+cell(b, i, "buy_price"))
			}
			if len(got) != len(k.want) {
				t.Fatalf("records = %q, want %q", got, k.want)
			}
			for i := range got {
				if got[i] != k.want[i] {
					t.Errorf("record %d = %s, want %s", i, got[i], k.want[i])
				}
			}
			if len(effect.Values) == 0 && !bytes.Equal(a.file, b.file) {
				t.Error("the file changed although no value did")
			}
		})
	}
}

func cell(a *Archive, i int, name string) string {
	f, _ := a.layout.field(name)
	return f.text(a.record(i))
}
