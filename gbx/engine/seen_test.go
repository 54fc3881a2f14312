package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
)

var update = flag.Bool("update", false, "write the page of what was seen in real files")

const (
	pageOfClasses = "../../docs/formats/gbx-classes.md"
	listOfTypes   = "seen.txt"
	notSeen       = "not seen in a real file here"
)

// The marks in sheets are true: a chunk without a real file among the tests' is
// marked as unseen, and no other is. The page of all classes agrees with
// the files.
func TestWhatWasSeen(t *testing.T) {
	s := &sightings{known: map[place]bool{}, chunks: map[place]map[uint64]bool{}, types: map[string]map[uint64]bool{}}
	for _, class := range engine.Registry().Classes() {
		for _, c := range contents(class) {
			s.known[c] = true
		}
	}
	filesAndInside(t, func(path string, _ []byte, f *gbx.File, _ string) {
		s.groups = nil
		if err := f.Walk(s); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
	for _, class := range engine.Registry().Classes() {
		sheet, _ := engine.Sheet(class.Name)
		marks := marked(sheet)
		for _, c := range contents(class) {
			_, seen := s.chunks[c]
			if mark, ok := marks[c]; !ok || mark == seen {
				t.Errorf("%s: %s: seen in real files = %v, marked as unseen = %v", class.Name, c, seen, mark)
			}
		}
	}
	for name, page := range map[string][]byte{pageOfClasses: s.page(), listOfTypes: s.list()} {
		t.Run(name, func(t *testing.T) {
			if *update {
				if err := os.WriteFile(name, page, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, page) {
				t.Errorf("%s is not what the files show (%v); -update writes it", name, err)
			}
		})
	}
}

// place is where a content is described: a chunk of body or header, or a class
// without chunks, whose content has the number of the class.
type place struct {
	id     classid.ID
	header bool
}

func (p place) String() string {
	if p.header {
		return fmt.Sprintf("header %03X", uint32(p.id)&0xFFF)
	}
	return fmt.Sprintf("%03X", uint32(p.id)&0xFFF)
}

// contents lists the places of a class in order.
func contents(class gbx.ClassInfo) []place {
	var list []place
	if class.Plain != nil {
		list = append(list, place{id: class.ID})
	}
	for _, c := range class.Chunks {
		list = append(list, place{c.ID, c.Header})
	}
	slices.SortFunc(list, func(a, b place) int {
		if a.header != b.header {
			return strings.Compare(b.String(), a.String())
		}
		return int(a.id) - int(b.id)
	})
	return list
}

var declaration = regexp.MustCompile(`^(class \w+|chunk|header|plain)( [0-9A-F]{3,8})?\b`)

// marked reports for each place of a sheet whether its line, or that of the
// class, marks it as unseen.
func marked(sheet string) map[place]bool {
	marks := map[place]bool{}
	var class classid.ID
	all := false
	for line := range strings.Lines(sheet) {
		m := declaration.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var number uint32
		fmt.Sscanf(m[2], "%X", &number)
		mark := strings.Contains(line, notSeen)
		switch id := classid.ID(number); {
		case strings.HasPrefix(m[1], "class"):
			class, all = id, mark
		case m[1] == "plain":
			marks[place{id: class}] = all || mark
		default:
			if number <= 0xFFF {
				id += class
			}
			marks[place{id, m[1] == "header"}] = all || mark
		}
	}
	return marks
}

// sightings is a visitor that notes which chunks there are, and in which
// versions.
type sightings struct {
	known  map[place]bool // what sheets describe
	chunks map[place]map[uint64]bool
	types  map[string]map[uint64]bool // the Go structs of contents and of values with versions
	groups []any
}

// list is the content of seen.txt.
func (s *sightings) list() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		b.WriteString(name)
		for _, v := range slices.Sorted(maps.Keys(s.types[name])) {
			fmt.Fprintf(&b, " %d", v)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// note adds a struct, and a version of it.
func (s *sightings) note(p any, versions ...uint64) {
	switch c := p.(type) {
	case *gbx.Chunk:
		p = c.Body
	case *gbx.HeaderChunk:
		p = c.Body
	}
	if p == nil || reflect.TypeOf(p).Kind() != reflect.Pointer {
		return
	}
	name := reflect.TypeOf(p).Elem().String()
	if s.types[name] == nil {
		s.types[name] = map[uint64]bool{}
	}
	for _, v := range versions {
		s.types[name][v] = true
	}
}

func (s *sightings) Begin(_ string, p any, _ int64) {
	s.groups = append(s.groups, p)
	c, ok := s.placeOf(p)
	if !ok {
		return
	}
	s.note(p)
	if s.chunks[c] == nil {
		s.chunks[c] = map[uint64]bool{}
	}
}

func (s *sightings) End(int64)                        { s.groups = s.groups[:len(s.groups)-1] }
func (s *sightings) Value(string, any)                {}
func (s *sightings) Inside(_, _ []byte, _ error) bool { return false }

func (s *sightings) Coded(name string, p any, _, _ int64) {
	if name != "version" || len(s.groups) == 0 {
		return
	}
	e := reflect.ValueOf(p).Elem()
	if !e.CanUint() {
		return
	}
	s.note(s.groups[len(s.groups)-1], e.Uint())
	if c, ok := s.placeOf(s.groups[len(s.groups)-1]); ok {
		s.chunks[c][e.Uint()] = true
	}
}

// placeOf states which content a group is, if it is one that was decoded.
func (s *sightings) placeOf(p any) (place, bool) {
	var at place
	var body gbx.Body
	switch p := p.(type) {
	case *gbx.Chunk:
		at, body = place{id: p.ID}, p.Body
	case *gbx.HeaderChunk:
		at, body = place{p.ID, true}, p.Body
	}
	if !s.known[at] {
		at.id = at.id.Latest()
	}
	_, opaque := body.(*gbx.Opaque)
	return at, s.known[at] && !opaque
}

// page writes down what was seen of each class.
func (s *sightings) page() []byte {
	classes := engine.Registry().Classes()
	slices.SortFunc(classes, func(a, b gbx.ClassInfo) int { return int(a.ID) - int(b.ID) })
	var table bytes.Buffer
	var all, proved, whole, none int
	for _, class := range classes {
		var seen, not []string
		for _, c := range contents(class) {
			if versions, ok := s.chunks[c]; ok {
				seen = append(seen, "`"+c.String()+"`"+versionsText(versions))
			} else {
				not = append(not, "`"+c.String()+"`")
			}
		}
		all += len(seen) + len(not)
		proved += len(seen)
		switch {
		case len(seen) == 0 && len(not) > 0:
			none++
		case len(not) == 0 && len(seen) > 0:
			whole++
		}
		fmt.Fprintf(&table, "| %s | `%08X` | %s | %s |\n", class.Name, uint32(class.ID), strings.Join(seen, ", "), strings.Join(not, ", "))
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, `# GBX classes, and their chunks in real files

For people who want to know how sure the layout of a chunk is. %s has
sheets with the layouts of %d chunks of %d classes.
%d of them stand in real files of the tests: each is decoded to its last byte and
encoded to the same bytes. The layouts of the other %d were published by others.
Tests write these with made-up values and read them back, which proves that pakbox
reads its own output, not that the games write the same. Real files have all chunks of %d classes,
and no chunk of %d classes.

If a chunk has a version, the versions in real files follow its number.
%s writes this page.

| Class | Number | Seen in real files | Not seen |
|---|---|---|---|
`, "`gbx/engine`", all, len(classes), proved, all-proved, whole, none, "`go test ./gbx/engine -run TestWhatWasSeen -update`")
	page.Write(table.Bytes())
	return page.Bytes()
}

func versionsText(versions map[uint64]bool) string {
	if len(versions) == 0 {
		return ""
	}
	var texts []string
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		texts = append(texts, fmt.Sprint(v))
	}
	return " (" + strings.Join(texts, " ") + ")"
}
