package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
)

// inventor is a source that makes up every value of one chunk. Many chunks
// stand in no real file we have; with it each version of each of them is
// written once and read back.
type inventor struct {
	class   classid.ID
	chunk   classid.ID
	header  bool
	skip    bool
	version uint32
	random  *rand.Rand
	shape   io.Writer      // gets what the values of the file are
	sizes   map[string]int // what other values call for, by name

	groups []string
	lists  map[string]int // lengths that were given out, by path
	nodes  uint32
	plain  bool // the node opened last has no chunks, but one content
}

// most is how many values of a list are made up.
const most = 2

func (v *inventor) Value(name string, p any) {
	switch name {
	case "classID":
		*p.(*classid.ID) = v.class
		return
	case "numNodes":
		*p.(*uint32) = 100
		return
	}
	e := reflect.ValueOf(p).Elem()
	switch q := p.(type) {
	case *gbx.ID:
		*q = gbx.NewID(fmt.Sprintf("id%d", v.random.IntN(5)))
		return
	case *gbx.Bool:
		*q = gbx.Bool(v.random.IntN(2))
		return
	case *[]byte:
		*q = make([]byte, v.sizes[name])
		for i := range *q {
			(*q)[i] = byte(v.random.IntN(256))
		}
		return
	}
	switch {
	case strings.EqualFold(name, "version") && e.CanUint():
		e.SetUint(uint64(v.version))
	case strings.EqualFold(name, "version") && e.CanInt():
		e.SetInt(int64(v.version))
	case e.CanUint(): // small, because many are counts
		e.SetUint(uint64(v.random.IntN(most + 1)))
	case e.CanInt():
		e.SetInt(int64(v.random.IntN(most + 1)))
	case e.CanFloat():
		e.SetFloat(v.random.Float64())
	case e.Kind() == reflect.String:
		e.SetString("text"[:v.random.IntN(5)])
	case e.Kind() == reflect.Array && e.Type().Elem().Kind() == reflect.Uint8:
		for i := range e.Len() {
			e.Index(i).SetUint(uint64(v.random.IntN(256)))
		}
	case e.Kind() == reflect.Slice && e.Type().Elem().Kind() == reflect.Uint8:
		e.SetBytes(make([]byte, e.Len()))
	default:
		panic(fmt.Sprintf("%s: a value of type %T", v.Path(), p))
	}
}

func (v *inventor) Coded(string, any, int64, int64) {}

func (v *inventor) Begin(name string, p any, _ int64) {
	v.groups = append(v.groups, name)
	switch p := p.(type) {
	case *gbx.Node:
		if p.Class == 0 {
			p.Class = 0x01001000
		}
		c, _ := engine.Registry().Class(p.Class)
		v.plain = c.Plain != nil
	case *gbx.Chunk:
		if !v.plain {
			p.ID, p.Skip = v.chunk, v.skip
		}
	case *gbx.HeaderChunk:
		p.ID = v.chunk
	case *gbx.Ref:
		if v.random.IntN(3) > 0 || neverAbsent[name] {
			v.nodes++
			*p = gbx.IndexRef(v.nodes)
			p.Node = new(gbx.Node)
		}
	}
}

func (v *inventor) End(int64) { v.groups = v.groups[:len(v.groups)-1] }

func (v *inventor) Len(name string) int {
	switch name {
	case "externals":
		return 0
	case "header", "chunk":
		if v.plain && name == "chunk" || name == "header" == v.header && len(v.groups) <= 1 {
			return 1
		}
		return 0
	}
	if n, ok := v.sizes[name]; ok {
		return n
	}
	// A list that is asked for again while it grows has one length.
	path := v.Path() + "." + name
	for len(path) > 0 {
		if n, ok := v.lists[path]; ok && strings.HasSuffix(path, name) {
			return n
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	n := v.random.IntN(most + 1)
	v.lists[v.Path()+"."+name] = n
	return n
}

func (v *inventor) Has(name string) bool { return name == "content" }
func (v *inventor) Path() string         { return strings.Join(v.groups, ".") }
func (v *inventor) Err() error           { return nil }

// invent makes a file with one chunk of made-up values. Where a size follows
// from other values, the error has the required size, and the next try uses it.
func (v *inventor) invent() (data []byte, err error) {
	v.sizes = map[string]int{}
	for range 8 {
		v.random = rand.New(rand.NewPCG(uint64(v.chunk), uint64(v.version)))
		data, err = v.try()
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.SizeMismatch {
			return data, err
		}
		name := f.Field[strings.LastIndexByte(f.Field, '.')+1:]
		var found, want int
		if n, _ := fmt.Sscanf(f.Message, "has %d bytes where the other values call for %d", &found, &want); n < 2 {
			fmt.Sscanf(f.Message, "has %d elements where the other values call for %d", &found, &want)
		}
		v.sizes[name] = want
	}
	return data, err
}

func (v *inventor) try() ([]byte, error) {
	v.groups, v.nodes, v.plain = nil, 0, false
	f := &gbx.File{}
	f.Version, f.Format, f.RefCompression, f.BodyCompression, f.Unknown = 6, 'B', 'U', 'U', 'R'
	v.lists = map[string]int{}
	if err := f.Build(v, 1<<20, engine.Registry()); err != nil {
		return nil, err
	}
	return f.Encode()
}

// versions are those that are tried of each chunk: more than any chunk has.
const versions = 32

// Every version of every chunk that a sheet describes reads back what was
// written: no value is left over, none is missing, and saving gives the same
// bytes.
func TestInventedChunks(t *testing.T) {
	classes := engine.Registry().Classes()
	slices.SortFunc(classes, func(a, b gbx.ClassInfo) int { return int(a.ID) - int(b.ID) })
	files := 0
	var layouts bytes.Buffer
	for _, class := range classes {
		list := class.Chunks
		if class.Plain != nil {
			list = append(slices.Clone(list), gbx.ChunkInfo{ID: 0})
		}
		for _, chunk := range list {
			if realFiles[chunk.ID] {
				continue
			}
			made, shape := 0, crc32.NewIEEE()
			for version := range uint32(versions) {
				v := &inventor{class: class.ID, chunk: chunk.ID, header: chunk.Header, version: version,
					skip: version%2 == 0 && chunk.ID != 0 || onlySkippable[chunk.ID], shape: shape}
				if checkInvented(t, v) {
					made++
				}
			}
			files += made
			if made == 0 {
				t.Errorf("%v: no version can be made", chunk.ID)
			}
			fmt.Fprintf(&layouts, "%v %v %t %08x\n", class.ID, chunk.ID, chunk.Header, shape.Sum32())
		}
	}
	t.Logf("%d files", files)
	checkLayouts(t, layouts.String())
}

// pageOfLayouts has a number for each chunk that stands for the names, types
// and sizes of its values in order, over all versions. Real files would not show
// that a chunk missing in them is now read differently: this does. A layout that
// is changed on purpose is written down again with -update.
const pageOfLayouts = "testdata/layouts.txt"

func checkLayouts(t *testing.T, layouts string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(pageOfLayouts, []byte(layouts), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(pageOfLayouts)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]bool{}
	for line := range strings.Lines(string(was)) {
		before[line] = true
	}
	for line := range strings.Lines(layouts) {
		if !before[line] {
			t.Errorf("the layout of %s changed; if that is intended, run with -update", line[:len("00000000 00000000")])
		}
		delete(before, line)
	}
	for line := range before {
		t.Errorf("the layout of %s is gone or changed; if that is intended, run with -update", line[:len("00000000 00000000")])
	}
}

// shaper is a visitor that writes down names, types and sizes of values, but
// not of what is compressed, whose size is the compressor's affair.
type shaper struct{ to io.Writer }

func (s shaper) Begin(name string, p any, _ int64) { fmt.Fprintf(s.to, "%s{", name) }
func (s shaper) End(int64)                         { fmt.Fprint(s.to, "}") }
func (s shaper) Value(string, any)                 {}
func (s shaper) Inside(_, _ []byte, _ error) bool  { return false }
func (s shaper) Coded(name string, p any, _, size int64) {
	if name == "compressed" {
		size = 0
	}
	fmt.Fprintf(s.to, "%s %T %d;", name, p, size)
}

// neverAbsent are nodes that stand where they are without index, class and
// chunks, so that their absence could not be expressed.
var neverAbsent = map[string]bool{"dynaModel": true, "dynaPointModel": true, "placementClass": true}

// onlySkippable are chunks that end at their declared size.
var onlySkippable = map[classid.ID]bool{0x03043055: true, 0x3F001000: true}

// realFiles are chunks that real files test, because sizes in them follow from
// so many other values that none can be made up.
var realFiles = map[classid.ID]bool{
	0x0304301F: true, 0x06022014: true, 0x0602201A: true, 0x0900600F: true, 0x090ED0A1: true, 0x090ED0AF: true,
}

// checkInvented reports whether the chunk could be made.
func checkInvented(t *testing.T, v *inventor) bool {
	t.Helper()
	data, err := v.invent()
	if err != nil {
		if errors.Is(err, fault.Unsupported) || errors.Is(err, fault.Corrupt) {
			return false
		}
		t.Errorf("%v version %d: %v", v.chunk, v.version, err)
		return false
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Errorf("%v version %d: %v", v.chunk, v.version, err)
		return true
	}
	if err := f.Walk(shaper{v.shape}); err != nil {
		t.Errorf("%v version %d: %v", v.chunk, v.version, err)
	}
	c := f.Coverage()
	for _, o := range c.Opaque {
		t.Errorf("%v version %d: %d bytes of %v are not read back: %s", v.chunk, v.version, o.Bytes, o.Chunk, o.Reason)
	}
	for _, i := range c.Inexact {
		t.Errorf("%v version %d: %v is coded otherwise: %s", v.chunk, v.version, i.Chunk, i.Reason)
	}
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("%v version %d: saved differently (%v)", v.chunk, v.version, err)
	}
	if v.version%inDocuments == 0 {
		checkDocument(t, v, f, data)
	}
	return true
}

// inDocuments states which versions are tried as documents too.
const inDocuments = 11

// checkDocument dumps the file and makes it again from the dump.
func checkDocument(t *testing.T, v *inventor, f *gbx.File, data []byte) {
	t.Helper()
	document := bytes.NewBufferString("{")
	if err := tree.WriteJSON(document, f, archive.Everything); err != nil {
		t.Errorf("%v version %d: %v", v.chunk, v.version, err)
		return
	}
	document.WriteByte('}')
	back, err := tree.ReadJSON(document.Bytes(), engine.Registry())
	if err != nil {
		t.Errorf("%v version %d: back from its dump: %v", v.chunk, v.version, err)
		return
	}
	if saved, err := back.Encode(); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("%v version %d: its dump gives another file (%v)", v.chunk, v.version, err)
	}
}
