// Package classid knows the numbers and names of the engine's classes.
//
// A class ID is 0xEECCC000: engine, class, and twelve zero bits; a chunk ID fills those
// bits with the chunk's number. Over twenty years Nadeo moved classes between engines, so
// one class has several numbers, and one file may contain numbers of several ages. The
// package maps every known old number to the latest one ([ID.Latest]); files keep the
// number they were written with.
package classid

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ID is a class or chunk ID.
type ID uint32

// String gives the ID as eight upper-case hex digits.
func (id ID) String() string {
	const digits = "0123456789ABCDEF"
	var b [8]byte
	for i := range b {
		b[i] = digits[id>>(28-4*i)&0xF]
	}
	return string(b[:])
}

// Class returns the ID with the chunk number cleared.
func (id ID) Class() ID { return id &^ 0xFFF }

// Chunk returns the chunk's number within its class.
func (id ID) Chunk() uint32 { return uint32(id & 0xFFF) }

// Engine returns the number of the engine.
func (id ID) Engine() uint8 { return uint8(id >> 24) }

// competitionPatch is a chunk ID of a community patch. Its class number is also an old
// number of another class.
const competitionPatch ID = 0x0304F001

// Latest maps an ID of any age to the latest number of its class.
func (id ID) Latest() ID {
	if id == competitionPatch {
		return id
	}
	if latest, ok := numbers().latest[id.Class()]; ok {
		return latest | id&0xFFF
	}
	return id
}

// Older returns the earlier numbers of a class, in ascending order.
func (id ID) Older() []ID { return numbers().older[id.Class()] }

// Class has the names and parents of one class.
type Class struct {
	ID        ID
	Name      string
	Parent    string // name of the parent class in the newest game known, "" if unknown
	Extension string // usual end of the file name, "" if none exists
	Former    []string

	parents string // the parents as in the table, a text for ParentIn
}

// Lookup returns the class with the given ID, old or new.
func Lookup(id ID) (Class, bool) { return LookupExact(id.Latest()) }

// LookupExact returns the class with exactly this number, now or formerly. It searches
// the text: making a table of all classes would take longer than reading a small file.
func LookupExact(id ID) (Class, bool) {
	key := id.String()[:5] + " "
	for text := classesText; text != ""; {
		begin := strings.LastIndexByte(text[:len(text)/2], '\n') + 1
		record, after, _ := strings.Cut(text[begin:], "\n")
		switch {
		case strings.HasPrefix(record, key):
			return parseClass(strings.Fields(record)), true
		case record < key:
			text = after
		default:
			text = text[:begin]
		}
	}
	return Class{}, false
}

// ByName returns the class with a name, without regard to case, or with a former name. Of
// several classes it returns the one of the newest game.
func ByName(name string) (Class, bool) {
	c, ok := names().byName[strings.ToLower(name)]
	return c.Class, ok
}

// All returns all classes in the order of their IDs, including numbers that are no longer
// used.
func All() []Class { return slices.Clone(names().classes) }

//go:embed classes.txt
var classesText string

//go:embed wrap.txt
var wrapText string

// The two tables are read on demand, numbers and names separately. They are part of the
// program: a mistake in them is a bug that the tests find.

type numberTable struct {
	latest map[ID]ID
	older  map[ID][]ID
}

var numbers = sync.OnceValue(func() *numberTable {
	t := &numberTable{latest: map[ID]ID{}, older: map[ID][]ID{}}
	for fields := range records(wrapText) {
		old, latest := parseID(fields[0])<<12, parseID(fields[1])<<12
		t.latest[old] = latest
		t.older[latest] = append(t.older[latest], old)
	}
	return t
})

type nameTable struct {
	classes []Class
	byName  map[string]ranked
}

// ranked is a class, and how strong its claim to a name is if several classes have the
// name.
type ranked struct {
	Class
	rank int
}

var names = sync.OnceValue(func() *nameTable {
	t := &nameTable{byName: map[string]ranked{}}
	for fields := range records(classesText) {
		c := parseClass(fields)
		t.classes = append(t.classes, c)
		rank := 0
		if c.ID.Latest() != c.ID {
			rank += 4
		}
		if _, ok := c.ParentIn(TM2020); !ok {
			rank++
		}
		t.offer(c.Name, ranked{c, rank})
		for _, name := range c.Former {
			t.offer(name, ranked{c, rank + 2})
		}
	}
	return t
})

func (t *nameTable) offer(name string, c ranked) {
	key := strings.ToLower(name)
	if known, ok := t.byName[key]; !ok || c.rank < known.rank {
		t.byName[key] = c
	}
}

func parseClass(fields []string) Class {
	c := Class{ID: parseID(fields[0]) << 12, Name: fields[1]}
	if len(fields) > 2 && fields[2] != "-" {
		c.parents = fields[2]
		first, _, _ := strings.Cut(c.parents, ",")
		c.Parent = first[strings.IndexByte(first, ':')+1:]
	}
	if len(fields) > 3 && fields[3] != "-" {
		c.Extension = fields[3]
	}
	if len(fields) > 4 {
		c.Former = fields[4:]
	}
	return c
}

func records(text string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 2 || fields[0] == "#" {
				continue
			}
			if !yield(fields) {
				return
			}
		}
	}
}

func parseID(s string) ID {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		panic("classid: " + err.Error())
	}
	return ID(n)
}
