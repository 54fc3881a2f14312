package archive_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// In edits the folder that stands for the root means it, unless the archive has
// a folder of that name.
func TestPlanTakesPaths(t *testing.T) {
	for _, c := range []struct{ stored, want string }{
		{"d:/ymir work/a", "d:/ymir work/a d:/ymir work/new"},
		{"d_ymir_work/a", "d_ymir_work/a d_ymir_work/new"},
	} {
		a := newMemory(false, c.stored, "")
		list, err := archive.Plan(a.Tree, []archive.Edit{{Put: &archive.Item{Name: "d_ymir_work/a"}}, {Put: &archive.Item{Name: "d_ymir_work/new"}}}, false)
		var got []string
		for _, e := range list {
			got = append(got, e.Name)
		}
		if s := strings.Join(got, " "); err != nil || s != c.want {
			t.Errorf("%s: s = %q, err = %v; want no error, s = %q", c.stored, s, err, c.want)
		}
		list, err = archive.Plan(a.Tree, []archive.Edit{{Rename: &archive.Rename{From: "d_ymir_work", To: "d:/ymir work/b"}}}, false)
		if err != nil || list[0].Name != "d:/ymir work/b/a" {
			t.Errorf("%s: renamed to %v, %v", c.stored, list, err)
		}
	}
}

func TestPlan(t *testing.T) {
	item := func(name string) *archive.Item { return &archive.Item{Name: name} }
	renames := func(names ...string) (edits []archive.Edit) {
		for i := 0; i < len(names); i += 2 {
			edits = append(edits, archive.Edit{Rename: &archive.Rename{From: names[i], To: names[i+1]}})
		}
		return edits
	}
	a := newMemory(false, "A", "", "dir/b", "", "dir/c", "", "e", "")
	for _, test := range []struct {
		name  string
		edits []archive.Edit
		fold  bool
		want  string
		err   error
	}{
		{"nothing", nil, false, "A=0 dir/b=1 dir/c=2 e=3", nil},
		{"add", []archive.Edit{{Put: item("new")}}, false, "A=0 dir/b=1 dir/c=2 e=3 new", nil},
		{"replace", []archive.Edit{{Put: item("dir/b")}}, false, "A=0 dir/b dir/c=2 e=3", nil},
		{"replace keeps the spelling", []archive.Edit{{Put: item("a")}}, true, "A dir/b=1 dir/c=2 e=3", nil},
		{"case matters", []archive.Edit{{Put: item("a")}}, false, "A=0 dir/b=1 dir/c=2 e=3 a", nil},
		{"remove", []archive.Edit{{Remove: "A"}}, false, "dir/b=1 dir/c=2 e=3", nil},
		{"remove a folder", []archive.Edit{{Remove: "dir"}}, false, "A=0 e=3", nil},
		{"rename", []archive.Edit{{Rename: &archive.Rename{From: "e", To: "x/y"}}}, false, "A=0 dir/b=1 dir/c=2 x/y=3", nil},
		{"rename a folder", []archive.Edit{{Rename: &archive.Rename{From: "dir", To: "d"}}}, false, "A=0 d/b=1 d/c=2 e=3", nil},
		{"rename in case only", []archive.Edit{{Rename: &archive.Rename{From: "A", To: "a"}}}, true, "a=0 dir/b=1 dir/c=2 e=3", nil},
		{"rename onto another", []archive.Edit{{Rename: &archive.Rename{From: "A", To: "e"}}}, false, "", fs.ErrExist},
		{"rename nothing", []archive.Edit{{Rename: &archive.Rename{From: "z", To: "e2"}}}, false, "", fs.ErrNotExist},
		{"rename several", renames("A", "dir/A", "dir/b", "x/b", "e", "f"), false, "dir/A=0 x/b=1 dir/c=2 f=3", nil},
		{"rename in turn", renames("A", "t", "e", "A", "t", "e"), false, "e=0 dir/b=1 dir/c=2 A=3", nil},
		{"rename a folder after what is in it", renames("dir/b", "b", "dir", "d"), false, "A=0 b=1 d/c=2 e=3", nil},
		{"rename into a folder, then that", renames("A", "dir/A", "dir", "d"), false, "d/A=0 d/b=1 d/c=2 e=3", nil},
		{"rename what a rename has moved", renames("dir", "d", "d/b", "z"), false, "A=0 z=1 d/c=2 e=3", nil},
		{"rename into what a rename leaves", renames("dir", "d", "A", "dir/A"), false, "dir/A=0 d/b=1 d/c=2 e=3", nil},
		{"rename two to one", renames("dir/b", "x", "dir/c", "X"), true, "", fs.ErrExist},
		{"rename several, one onto another", renames("A", "f", "dir/b", "e"), false, "", fs.ErrExist},
		{"rename several, one of them nothing", renames("A", "f", "z", "g"), false, "", fs.ErrNotExist},
		{"rename twice", renames("A", "f", "A", "g"), false, "", fs.ErrNotExist},
		{"remove nothing", []archive.Edit{{Remove: "z"}}, false, "", fs.ErrNotExist},
		{"unsafe", []archive.Edit{{Put: item("../z")}}, false, "", fault.Unsafe},
		{"put twice", []archive.Edit{{Put: item("new")}, {Put: item("A")}, {Put: item("NEW")}}, true, "A dir/b=1 dir/c=2 e=3 new", nil},
		{"remove several", []archive.Edit{{Remove: "e"}, {Remove: "DIR"}}, true, "A=0", nil},
		{"remove from a folder, then the rest", []archive.Edit{{Remove: "dir/b"}, {Remove: "dir"}}, false, "A=0 e=3", nil},
		{"remove what is gone", []archive.Edit{{Remove: "dir"}, {Remove: "dir/b"}}, false, "", fs.ErrNotExist},
		{"remove twice", []archive.Edit{{Remove: "e"}, {Remove: "e"}}, false, "", fs.ErrNotExist},
		{"in order", []archive.Edit{{Put: item("e")}, {Remove: "e"}, {Put: item("e")}, {Rename: &archive.Rename{From: "e", To: "f"}}}, false, "A=0 dir/b=1 dir/c=2 f", nil},
		{"portable names", []archive.Edit{{Put: item("d_ymir_work/x")}, {Put: item("d:/Ymir Work/x")}, {Rename: &archive.Rename{From: "d:/ymir work", To: "w"}}, {Remove: "dir"}}, true, "A=0 e=3 w/x", nil},
	} {
		list, err := archive.Plan(a.Tree, test.edits, test.fold)
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: err = %v; want err matching %v, err is nil exactly if test.err is nil", test.name, err, test.err)
			continue
		}
		var got []string
		for _, e := range list {
			s := e.Name
			if e.From != nil {
				s += "=" + string(rune('0'+*e.From))
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: got %q, want %q", test.name, s, test.want)
		}
	}
}

// No edit hides a file behind a folder; an archive in which one is hidden can
// be edited elsewhere.
func TestPlanKeepsFoldersAndFilesApart(t *testing.T) {
	a := newMemory(false, "A", "", "dir/b", "", "odd", "", "odd/c", "")
	for _, edit := range []archive.Edit{
		{Put: &archive.Item{Name: "dir"}}, {Put: &archive.Item{Name: "A/below/it"}},
		{Rename: &archive.Rename{From: "A", To: "dir"}}, {Rename: &archive.Rename{From: "dir", To: "A/dir"}},
	} {
		if list, err := archive.Plan(a.Tree, []archive.Edit{edit}, false); err == nil {
			t.Errorf("%+v gives %v", edit, list)
		}
	}
	if _, err := archive.Plan(a.Tree, []archive.Edit{{Put: &archive.Item{Name: "new"}}, {Remove: "dir/b"}}, false); err != nil {
		t.Error(err)
	}
}

// Thousands of renames take one pass, not thousands: x-flat is how much longer
// each takes when there are ten times as many.
func BenchmarkPlanRenames(b *testing.B) {
	plan := func(n int) float64 {
		var names []string
		var edits []archive.Edit
		for i := range n {
			name := fmt.Sprintf("f%05d", i)
			names = append(names, name, "")
			edits = append(edits, archive.Edit{Rename: &archive.Rename{From: name, To: "in/" + name}})
		}
		a := newMemory(false, names...)
		start := time.Now()
		if list, err := archive.Plan(a.Tree, edits, false); err != nil || len(list) != n || list[n-1].Name != "in/"+names[2*n-2] {
			b.Fatalf(`len(list) = %v, err = %v; want no error, list of length %v, list[n-1].Name = "in/" + names[2*n-2]`, len(list), err, n)
		}
		return float64(time.Since(start)) / float64(n)
	}
	few, many := math.Inf(1), math.Inf(1)
	for b.Loop() {
		few, many = min(few, plan(3_000)), min(many, plan(30_000))
	}
	b.ReportMetric(many/few, "x-flat")
}

// A folder goes with the last file that was in it; one that was empty before
// stays, and those that it is in.
func TestPlanEmptiedFolders(t *testing.T) {
	entries := []archive.Entry{{Name: "full/"}, {Name: "full/a"}, {Name: "full/sub/"}, {Name: "full/sub/b"}, {Name: "empty/"}, {Name: "x/"}, {Name: "x/e/"}, {Name: "x/f"}, {Name: "top"}}
	for _, c := range []struct{ removes, want string }{
		{"", "full/ full/a full/sub/ full/sub/b empty/ x/ x/e/ x/f top"},
		{"full/sub/b", "full/ full/a empty/ x/ x/e/ x/f top"},
		{"full/a full/sub/b", "empty/ x/ x/e/ x/f top"},
		{"full/a", "full/ full/sub/ full/sub/b empty/ x/ x/e/ x/f top"},
		{"x/f top", "full/ full/a full/sub/ full/sub/b empty/ x/ x/e/"},
	} {
		var edits []archive.Edit
		for _, name := range strings.Fields(c.removes) {
			edits = append(edits, archive.Edit{Remove: name})
		}
		list, err := archive.Plan(archive.NewTree(entries, false, nil), edits, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			got = append(got, e.Name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("without %q: %q, want %q", c.removes, s, c.want)
		}
	}
}
