package gbx_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// sparing gives a body bit by bit. In place of what was not asked for yet stands
// something else.
type sparing struct {
	blind
	body, real []byte
	most       int // bytes that it gives
	fed        int
	asked      []int // up to where
	lost       []string
	lostTo     int
}

// newSparing returns a file whose body is not there yet, and who gives it.
func newSparing(f *gbx.File, data []byte, poison string) ([]byte, *sparing) {
	data = bytes.Clone(data)
	body := data[len(data)-len(f.BodyBytes()):]
	s := &sparing{body: body, real: bytes.Clone(body), most: len(body)}
	for i := range body {
		body[i] = poison[i%len(poison)]
	}
	return data, s
}

func (s *sparing) Need(end int64) int64 {
	if int(end) <= s.fed {
		panic("asked for what is there")
	}
	s.asked = append(s.asked, int(end))
	give := min(int(end), s.most)
	copy(s.body[s.fed:give], s.real[s.fed:give])
	s.fed = give
	return int64(give)
}

func (s *sparing) Lost(o *gbx.Opaque, size int) {
	s.lost = append(s.lost, fmt.Sprintf("%d bytes at %d: %s", size, o.Offset, o.Reason))
	s.lostTo = int(o.Offset) + size
}

// checkFed reads a file whose body comes bit by bit. It must be the file.
func checkFed(t *testing.T, data []byte, reg *gbx.Registry) {
	t.Helper()
	f := read(t, data, reg)
	opaque := f.Coverage().Opaque
	for _, poison := range []string{"\x00", "\xff", "\r\n"} {
		come, s := newSparing(f, data, poison)
		fed, err := gbx.Trace(come, reg, s)
		if err != nil || !slices.Equal(s.body[:s.fed], s.real[:s.fed]) {
			t.Fatalf("%.400q: err = %v; want no error, s.body[:s.fed] equal to s.real[:s.fed]", data, err)
		}
		if len(opaque) == 0 {
			checkSame(t, data, f, fed)
		}
		if len(s.lost) != len(opaque) {
			t.Errorf("%.400q: lost %q, opaque %+v", data, s.lost, opaque)
		}
	}
}

// A parse that is fed looks at no byte before it has asked for it.
func TestFed(t *testing.T) {
	for _, c := range constructs() {
		for _, content := range c.good {
			checkFed(t, binaryFile(testChunk, content, nodeEnd), registry(c.info))
			checkFed(t, binaryFile(testChunk, skip, len(content), content, nodeEnd), registry(c.info))
		}
	}
	for _, p := range primitives() {
		for content := range p.good {
			checkFed(t, textFile(lines("3f0aa001")+content+lines("facade01")), registry(p.info))
			checkFed(t, textFile(lines("3f0aa001", "1397442896", fmt.Sprint(len(content)))+content+lines("facade01")), registry(p.info))
		}
	}
	checkFed(t, seedMap(), engine.Registry())
	checkFed(t, binaryFile(packedLists()...), engine.Registry())
	fed := 0
	for _, data := range corpus.GBX(t) {
		if len(data) > 5000 {
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Trailer) > 0 || len(f.Coverage().Inexact) > 0 {
			continue
		}
		f.SetCompression(false, 0)
		if data, err = f.Encode(); err != nil {
			t.Fatal(err)
		}
		checkFed(t, data, engine.Registry())
		fed++
	}
	if fed < 100 {
		t.Errorf("only %d files were fed", fed)
	}
}

// It asks for each value when its turn has come, and for a node's first bytes
// only after it has reported the node: packs are deciphered with these reports.
func TestAsksInTurn(t *testing.T) {
	reg := registry(
		chunkOf(testChunk, func(x *gbx.Coder, p *counted) {
			x.U32(&p.n, "n")
			x.Direct(&p.node, testClass, "v")
		}),
		chunkOf(testChunk+1, method((*gbx.Coder).String)),
		chunkOf(testChunk+2, func(x *gbx.Coder, p *gbx.Ref) { x.Direct(p, testClass, "v") }),
		chunkOf(testChunk+3, func(x *gbx.Coder, p *uint32) { x.Peek(); x.U32(p, "v") }),
	)
	for _, test := range []struct {
		name string
		body []byte
		want []int
	}{
		// ID, what may be the mark, the number; the node's end mark, the outer one.
		{"a node behind a number", join(testChunk, 7, nodeEnd, nodeEnd), []int{4, 8, 12, 16}},
		{"a text", join(testChunk+1, text("abcde"), nodeEnd), []int{4, 8, 13, 17}},
		{"a chunk with its size", join(testChunk+1, skip, 5, text("a"), nodeEnd), []int{4, 8, 12, 16, 17, 21}},
		{"an unknown chunk", join(testChunk+9, skip, 5, "abcde", nodeEnd), []int{4, 8, 12, 17, 21}},
		{"no node", join(testChunk+2, 0, nodeEnd), []int{4, 8, 12}},
		{"a node", join(testChunk+2, nodeEnd, nodeEnd), []int{4, 8, 12}},
		{"a look ahead", join(testChunk+3, 7, nodeEnd), []int{4, 8, 12}},
	} {
		data := binaryFile(test.body)
		f := readWholeBut(t, data, reg)
		come, s := newSparing(f, data, "\x00")
		if _, err := gbx.Trace(come, reg, s); err != nil || !slices.Equal(s.asked, test.want) {
			t.Errorf("%s: asks for %v, want %v (%v)", test.name, s.asked, test.want, err)
		}
	}
}

// counted is a node behind a number.
type counted struct {
	n    uint32
	node gbx.Ref
}

// readWholeBut is read for files with unknown chunks.
func readWholeBut(t *testing.T, data []byte, reg *gbx.Registry) *gbx.File {
	t.Helper()
	f := read(t, data, reg)
	if f.Body.Tail != nil {
		t.Errorf("%q: f.Body.Tail = %+v; want nil", data, f.Body.Tail)
	}
	return f
}

// A body that comes to an end too early ends the parse there.
func TestFedTooLittle(t *testing.T) {
	f := read(t, seedMap(), engine.Registry())
	for most := range len(f.BodyBytes()) {
		come, s := newSparing(f, seedMap(), "\x00")
		s.most = most
		short, err := gbx.Trace(come, engine.Registry(), s)
		if err != nil || short.Body == nil || s.lostTo != len(s.body) || s.asked[len(s.asked)-1] <= most {
			t.Errorf("%d bytes: asked for %v, lost %q (%v)", most, s.asked, s.lost, err)
		}
	}
}
