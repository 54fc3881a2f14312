package game_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/code"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
)

// The layout of a block stands in the sheet. Blocks reads and writes most
// blocks at once, in code of their own; here both are compared with the code
// that is generated from the sheet.

const (
	blocksClass = 0x3F0AA000
	blocksChunk = blocksClass | 1
	manyBlocks  = 300
)

// sheetBlocks is a list that is encoded by the sheet, block by block.
type sheetBlocks struct {
	version int
	list    []game.CGameCtnChallengeBlock
}

func (c *sheetBlocks) Code(x *gbx.Coder) {
	code.List(x, &c.list, 10, "blocks")
	for i := range c.list {
		x.Elem(i, &c.list[i])
		c.list[i].Code(x, c.version)
		x.EndElem()
	}
	x.EndList()
}

// packedBlocks is the same list, packed.
type packedBlocks struct {
	version int
	game.Blocks
}

func (c *packedBlocks) Code(x *gbx.Coder) { c.Blocks.Code(x, c.version, "blocks") }

// blocksRegistry knows one class with one chunk.
func blocksRegistry(content func() gbx.Body) *gbx.Registry {
	return gbx.NewRegistry([]gbx.ClassInfo{{ID: blocksClass, Name: "CTest", Chunks: []gbx.ChunkInfo{{ID: blocksChunk, New: content}}}})
}

// blockInventor is a source that makes up whatever the sheet asks for. As on a
// map, a value is often that of the block before.
type blockInventor struct {
	random *rand.Rand
	bits   uint32         // that flags may have
	last   map[string]any // by name
	groups []string
	nodes  []*gbx.Node // that references may lead to once more
}

func (v *blockInventor) Value(name string, p any) {
	switch name {
	case "classID":
		*p.(*classid.ID) = blocksClass
		return
	case "numNodes":
		*p.(*uint32) = manyBlocks
		return
	}
	e := reflect.ValueOf(p).Elem()
	if last, ok := v.last[name]; ok && v.random.IntN(4) > 0 {
		e.Set(reflect.ValueOf(last))
		return
	}
	switch p := p.(type) {
	case *gbx.ID:
		*p = v.id()
	case *game.CGameCtnChallengeBlockFlags:
		*p = v.flags()
	default:
		if e.CanInt() {
			e.SetInt(int64(int32(v.random.Uint32()) % 3))
		} else {
			e.SetUint(uint64(v.random.Uint32N(256)))
		}
	}
	v.last[name] = e.Interface()
}

// id makes up an ID: mostly a name that occurs more than once.
func (v *blockInventor) id() gbx.ID {
	name := fmt.Sprintf("name%d", v.random.IntN(40))
	switch v.random.IntN(12) {
	case 0:
		return gbx.NewGlobalID(name)
	case 1:
		return gbx.NumberID(v.random.Uint32N(100))
	case 2:
		return gbx.NoID
	}
	return gbx.NewID(name)
}

// flags makes up flags: some of those that call for more values, some of the
// others, and all of them, which mean an absent block without further values.
func (v *blockInventor) flags() game.CGameCtnChallengeBlockFlags {
	flags := v.random.Uint32() & 0xFFF
	for _, calls := range []uint32{0x8000, 0x20000, 0x40000, 0x80000, 0x100000, uint32(game.CGameCtnChallengeBlockFlagsIsFree)} {
		if v.random.IntN(4) == 0 {
			flags |= calls
		}
	}
	if v.random.IntN(20) == 0 {
		flags = 0xFFFFFFFF
	}
	return game.CGameCtnChallengeBlockFlags(flags & v.bits)
}

func (v *blockInventor) Coded(string, any, int64, int64) {}

func (v *blockInventor) Begin(name string, p any, _ int64) {
	v.groups = append(v.groups, name)
	switch p := p.(type) {
	case *gbx.Chunk:
		p.ID = blocksChunk
	case *gbx.Node:
		p.Class = blocksClass
	case *gbx.Ref:
		if n := v.random.IntN(8); n == 0 {
			v.nodes = append(v.nodes, new(gbx.Node))
			*p = gbx.IndexRef(uint32(len(v.nodes)))
			p.Node = v.nodes[len(v.nodes)-1]
		} else if n == 1 && len(v.nodes) > 0 {
			i := v.random.IntN(len(v.nodes))
			*p = gbx.IndexRef(uint32(i + 1))
			p.Node = v.nodes[i]
		}
	}
}

func (v *blockInventor) End(int64) { v.groups = v.groups[:len(v.groups)-1] }

func (v *blockInventor) Len(name string) int {
	switch name {
	case "blocks":
		return manyBlocks
	case "chunk":
		if len(v.groups) == 1 {
			return 1
		}
		return 0
	case "header", "externals":
		return 0
	}
	return v.random.IntN(3)
}

func (v *blockInventor) Has(string) bool { return false }
func (v *blockInventor) Path() string    { return fmt.Sprint(v.groups) }
func (v *blockInventor) Err() error      { return nil }

// Blocks that the sheet's code has written are read at once as that code reads
// them, and written at once as that code writes them.
func TestBlocksAsTheSheetSays(t *testing.T) {
	for seed := range uint64(60) {
		version := int(seed % 4) // of the list; 3 is what later ones are like
		sheet := blocksRegistry(func() gbx.Body { return &sheetBlocks{version: version} })
		packed := blocksRegistry(func() gbx.Body { return &packedBlocks{version: version} })
		source := &blockInventor{random: rand.New(rand.NewPCG(seed, 1)), bits: 0xFFFFFFFF, last: map[string]any{}}
		if version == 0 {
			source.bits = 0xFFFF
		}
		f := &gbx.File{}
		f.Version, f.Format, f.RefCompression, f.BodyCompression, f.Unknown = 6, 'B', 'U', 'U', 'R'
		if err := f.Build(source, 1<<20, sheet); err != nil {
			t.Fatal(err)
		}
		data, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		want := parse(t, data, sheet).Body.Chunks[0].Body.(*sheetBlocks)
		quick := parse(t, data, packed)
		got := quick.Body.Chunks[0].Body.(*packedBlocks)
		for i, b := range got.All() {
			if !reflect.DeepEqual(b, want.list[i]) {
				t.Fatalf("version %d, block %d =\n%+v, want as by the sheet\n%+v", version, i, b, want.list[i])
			}
		}
		same := func(how string) {
			t.Helper()
			if body, err := quick.EncodeBody(); err != nil || !bytes.Equal(body, quick.BodyBytes()) {
				t.Fatalf("version %d: the blocks %s are written differently (%v)", version, how, err)
			}
		}
		same("read at once")
		checkBlocks(t, &got.Blocks, want.list)
		got.Blocks = game.PackBlocks(got.Unpack())
		same("packed anew")
		sameDocument(t, quick, packed, data)
	}
}

// countedBlocks is a list of blocks as a map has it: what stands before it counts no
// stand-ins.
type countedBlocks struct {
	version, count int
	list           []game.CGameCtnChallengeBlock
}

func (c *countedBlocks) Code(x *gbx.Coder) {
	count := uint32(c.count)
	x.U32(&count, "count")
	for i := range c.list {
		c.list[i].Code(x, c.version)
	}
}

// packedList is the same list, as pakbox has it.
type packedList struct {
	version int
	game.BlockList
}

func (c *packedList) Code(x *gbx.Coder) { c.BlockList.Code(x, c.version) }

// Stand-ins do not count from version 2 on, wherever they stand; blocks behind the
// last that counts are kept.
func TestBlockList(t *testing.T) {
	block := func(flags game.CGameCtnChallengeBlockFlags) game.CGameCtnChallengeBlock {
		return game.CGameCtnChallengeBlock{Name: gbx.NewID(fmt.Sprintf("block %d", flags%3)), Flags: flags}
	}
	for name, k := range map[string]struct {
		version, count int
		flags          []game.CGameCtnChallengeBlockFlags
		uncounted      int32
	}{
		"none":              {2, 0, nil, 0},
		"plain":             {2, 3, []game.CGameCtnChallengeBlockFlags{1, 2, 4}, 0},
		"stand-ins":         {2, 2, []game.CGameCtnChallengeBlockFlags{1, game.StandIn, 2}, 0},
		"stand-ins last":    {6, 1, []game.CGameCtnChallengeBlockFlags{1, game.StandIn, game.StandIn}, 0},
		"one last":          {3, 1, []game.CGameCtnChallengeBlockFlags{1, game.StandIn}, 0},
		"more than counted": {3, 1, []game.CGameCtnChallengeBlockFlags{1, game.StandIn, 2, 4}, 2},
		"early":             {1, 2, []game.CGameCtnChallengeBlockFlags{1, 2}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			plain := &countedBlocks{version: k.version, count: k.count}
			for _, f := range k.flags {
				plain.list = append(plain.list, block(f))
			}
			packed := blocksRegistry(func() gbx.Body { return &packedList{version: k.version} })
			data, err := gbx.New(&gbx.Node{Class: blocksClass, Chunks: []gbx.Chunk{{ID: blocksChunk, Body: plain}}}, packed).Encode()
			if err != nil {
				t.Fatal(err)
			}
			f := parse(t, data, packed)
			got := &f.Body.Chunks[0].Body.(*packedList).BlockList
			same := func(how string) {
				t.Helper()
				if got.Len() != len(plain.list) || got.Uncounted != k.uncounted {
					t.Errorf("%s, %s: %d blocks, %d of them uncounted, want %d and %d", name, how, got.Len(), got.Uncounted, len(plain.list), k.uncounted)
				}
				for i, b := range got.All() {
					if w := plain.list[i]; b.Name.String() != w.Name.String() || b.Flags != w.Flags {
						t.Errorf("%s, %s: block %d is %+v, want %+v", name, how, i, b, w)
					}
				}
				if body, err := f.EncodeBody(); err != nil || !bytes.Equal(body, f.BodyBytes()) {
					t.Errorf("%s, %s: written differently (%v)", name, how, err)
				}
			}
			same("read")
			got.Blocks = game.PackBlocks(got.Unpack())
			same("packed anew")
			sameDocument(t, f, packed, data)
		})
	}
}

// The meaning of the flags of a block. Those of a stand-in are all set and have none.
func TestBlockFlags(t *testing.T) {
	for flags, want := range map[game.CGameCtnChallengeBlockFlags][2]bool{
		0: {}, game.CGameCtnChallengeBlockFlagsIsFree: {true, false}, game.CGameCtnChallengeBlockFlagsIsGhost: {false, true},
		game.CGameCtnChallengeBlockFlagsIsFree | game.CGameCtnChallengeBlockFlagsIsGhost: {true, true}, game.StandIn: {},
	} {
		if flags.Free() != want[0] || flags.Ghost() != want[1] {
			t.Errorf("%v: free %t, ghost %t", flags, flags.Free(), flags.Ghost())
		}
	}
}

// checkBlocks holds the ways to go through blocks against a plain list of them.
func checkBlocks(t *testing.T, l *game.Blocks, want []game.CGameCtnChallengeBlock) {
	t.Helper()
	placed, free, i := 0, 0, 0
	models := map[string]int{}
	var customs []game.CGameCtnChallengeBlockCustom
	for _, b := range want {
		if b.Custom != nil {
			customs = append(customs, *b.Custom)
		}
		if b.Flags == game.StandIn {
			continue
		}
		placed++
		if b.Flags&game.CGameCtnChallengeBlockFlagsIsFree != 0 {
			free++
		}
		m := game.BlockModel{Name: b.Name}
		if b.Custom != nil {
			m.Author = b.Custom.Author
		}
		models[m.Name.String()+" by "+m.Author.String()]++
	}
	for b := range l.Each() {
		if !reflect.DeepEqual(*b, want[i]) {
			t.Fatalf("block %d is %+v, want %+v", i, *b, want[i])
		}
		i++
	}
	bare := 0
	for b := range l.Bare() {
		if w := want[bare]; !reflect.DeepEqual(b.Name, w.Name) || b.Direction != w.Direction || b.Coord != w.Coord || b.Flags != w.Flags || b.Custom != nil || b.Extra != nil {
			t.Fatalf("block %d is %+v, want %+v", bare, *b, w)
		}
		bare++
	}
	if p, f := l.Count(); p != placed || f != free || i != len(want) || bare != len(want) {
		t.Errorf("%d blocks, %d of them free, want %d and %d; gone through %d and %d of %d", p, f, placed, free, i, bare, len(want))
	}
	var gotCustoms []game.CGameCtnChallengeBlockCustom
	for c := range l.Customs() {
		gotCustoms = append(gotCustoms, c)
	}
	if !reflect.DeepEqual(gotCustoms, customs) {
		t.Errorf("%d authors and skins, want %d", len(gotCustoms), len(customs))
	}
	gotModels := map[string]int{}
	for m, n := range l.Models() {
		gotModels[m.Name.String()+" by "+m.Author.String()] += n
	}
	if !reflect.DeepEqual(gotModels, models) {
		t.Errorf("models %v, want %v", gotModels, models)
	}
	for range l.Each() { // who has seen enough is not shown more
		break
	}
	for range l.Bare() {
		break
	}
	for range l.All() {
		break
	}
	for range l.Customs() {
		break
	}
	for range l.Models() {
		break
	}
}

// sameDocument makes a document of a file, and the file of it again.
func sameDocument(t *testing.T, f *gbx.File, reg *gbx.Registry, want []byte) {
	t.Helper()
	document := bytes.NewBufferString("{")
	if err := tree.WriteJSON(document, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	document.WriteByte('}')
	again, err := tree.ReadJSON(document.Bytes(), reg)
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := again.Encode(); err != nil || !bytes.Equal(saved, want) {
		t.Fatalf("a document is another file (%v)", err)
	}
}

// parse reads a file that must be understood to its end.
func parse(t *testing.T, data []byte, reg *gbx.Registry) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, reg)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Body.Chunks) != 1 || f.Body.Tail != nil || len(f.Rest) > 0 {
		t.Fatalf("%d chunks; tail %+v; rest %d", len(f.Body.Chunks), f.Body.Tail, len(f.Rest))
	}
	return f
}
