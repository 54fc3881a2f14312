package gbx_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// refs is a registry of chunks that hold one reference each, and a text.
func refs() *gbx.Registry {
	return registry(chunkOf(testChunk, method((*gbx.Coder).Ref)), chunkOf(testChunk+1, method((*gbx.Coder).String)))
}

// refChunk is a chunk with a reference.
func refChunk(r gbx.Ref) gbx.Chunk {
	return gbx.Chunk{ID: testChunk, Body: &single[gbx.Ref]{V: r, code: method((*gbx.Coder).Ref)}}
}

// Nodes that were made in memory get the indices that follow those the file has,
// are written where they are met first, and counted.
func TestNewNodes(t *testing.T) {
	data := join("GBX", uint16(6), "BUUR", testClass, 0, 3, 1, 0, 0, 1, text("a.dds"), 2, 0, 0,
		testChunk, 1, testClass, nodeEnd, testChunk, 2, nodeEnd)
	f := readWhole(t, data, refs())
	one, two := &gbx.Node{Class: testClass}, &gbx.Node{Class: testClass}
	one.Chunks = []gbx.Chunk{refChunk(gbx.NewRef(two)), refChunk(gbx.NewRef(one))}
	f.Body.Chunks = append(f.Body.Chunks, refChunk(gbx.NewRef(one)), refChunk(gbx.NewRef(two)), refChunk(gbx.Ref{}), refChunk(gbx.IndexRef(2)), refChunk(gbx.IndexRef(9)))
	want := join("GBX", uint16(6), "BUUR", testClass, 0, 5, 1, 0, 0, 1, text("a.dds"), 2, 0, 0,
		testChunk, 1, testClass, nodeEnd, testChunk, 2,
		testChunk, 3, testClass,
		testChunk, 4, testClass, nodeEnd,
		testChunk, 3, nodeEnd,
		testChunk, 4, testChunk, -1, testChunk, 2, testChunk, 9, nodeEnd)
	for range 2 { // they keep them
		if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, want) {
			t.Fatalf("err = %v\nsaved = %q\nwant = %q; expected no error, and that saved is equal to want", err, saved, want)
		}
	}
	if f.NumNodes != 5 {
		t.Errorf("%d nodes", f.NumNodes)
	}
}

// changed is a compressed file whose body and header a test may change.
func changeable(t *testing.T) (data []byte, f *gbx.File) {
	t.Helper()
	info := chunkOf(testChunk, method((*gbx.Coder).String))
	info.Header = true
	reg := registry(info, chunkOf(testChunk+1, method((*gbx.Coder).String)), chunkOf(testChunk+2, forgetful))
	body := join(testChunk+1, text("body"), testChunk+2, 0x1234, nodeEnd)
	packed := join(byte(17+len(body)), body, "\x11\x00\x00") // as no compressor would write it
	data = join("GBX", uint16(6), "BUCR", testClass, 12+8, 1, testChunk, 8, text("head"), 1, 0, len(body), len(packed), packed, "trailer")
	f, err := gbx.Parse(data, reg)
	if err != nil {
		t.Fatal(err)
	}
	return data, f
}

func setHeader(f *gbx.File, s string) { f.Chunks[0].Body.(*single[string]).V = s }
func setBody(f *gbx.File, s string)   { f.Body.Chunks[0].Body.(*single[string]).V = s }

// Unchanged parts are saved as they were found, even where encoding would give other
// bytes: header, compressed body, and the bytes after it.
func TestSavedAsFound(t *testing.T) {
	data, f := changeable(t)
	header := len(data) - len(f.PackedBody()) - len("trailer") - 8
	check := func(f *gbx.File, want []byte) {
		t.Helper()
		saved, err := f.Encode()
		if err != nil || !bytes.Equal(saved, want) {
			t.Errorf("err = %v\nsaved = %q\nwant = %q; expected no error, and that saved is equal to want", err, saved, want)
		}
		var b bytes.Buffer
		if n, err := f.WriteTo(&b); err != nil || n != int64(len(want)) || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("written: %d bytes, %v", n, err)
		}
	}
	check(f, data)
	setHeader(f, "another")
	check(f, join("GBX", uint16(6), "BUCR", testClass, 12+11, 1, testChunk, 11, text("another"), 1, 0, data[header:]))
	body := join(testChunk+1, text("BODY"), testChunk+2, 0x34, nodeEnd)
	packed := pack(body, 0)
	setHeader(f, "head")
	setBody(f, "BODY")
	check(f, join(data[:header], len(body), len(packed), packed, "trailer"))
	f.SetCompression(false, 0)
	if f.Source() != nil || f.PackedBody() != nil {
		t.Error("it still has the form it was found with")
	}
	data = bytes.Clone(data[:header])
	data[7] = 'U'
	check(f, join(data, body, "trailer"))
}

// With the coded form of the values before a change, a change gives the same file.
func TestRevised(t *testing.T) {
	for _, test := range []struct{ header, body string }{{"head", "body"}, {"HEAD", "body"}, {"head", "BODY"}, {"HEAD", "BODY"}} {
		data, f := changeable(t)
		before, err := f.EncodeOutline(blind{})
		if err != nil || f.Exact(before) {
			t.Fatalf("exact though a value is not (%v)", err)
		}
		setHeader(f, test.header)
		setBody(f, test.body)
		now, err := f.EncodeOutline(blind{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.EncodeRevised(before, now); err != nil || !bytes.Equal(got, want) || bytes.Equal(got, data) != (test.header == "head" && test.body == "body") {
			t.Errorf("%+v: err = %v\ngot = %q\nwant = %q; expected no error, and that got is equal to want, and to the original only if nothing was changed", test, err, got, want)
		}
	}
	data := binaryFile(testChunk+1, text("body"), nodeEnd)
	f := readWhole(t, data, refs())
	c, err := f.EncodeOutline(blind{})
	if err != nil || !f.Exact(c) || f.Exact(gbx.Coding{Header: c.Header, Body: c.Body[1:]}) || f.Exact(gbx.Coding{Header: c.Header[1:], Body: c.Body}) {
		t.Errorf("what is exact: %v", err)
	}
	f.SetCompression(true, lzo1x.Fast)
	if f.Exact(c) {
		t.Error("a file that was not found is exact")
	}
}

// full is a disk that takes so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), int(*f))
	*f -= full(n)
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestWriteFails(t *testing.T) {
	data, f := changeable(t)
	setHeader(f, "HEAD")
	for room := range len(data) {
		disk := full(room)
		if n, err := f.WriteTo(&disk); n != int64(room) || err != io.ErrShortWrite {
			t.Errorf("%d bytes of %d: %v", n, room, err)
		}
	}
	f.Chunks[0].Body = &gbx.Unread{Size: 5}
	const want = "header at 0x1d: a heavy chunk of 5 bytes was not read"
	for name, code := range map[string]func() error{
		"Encode":        func() error { _, err := f.Encode(); return err },
		"EncodeHeader":  func() error { _, err := f.EncodeHeader(); return err },
		"EncodeOutline": func() error { _, err := f.EncodeOutline(blind{}); return err },
		"Walk":          func() error { return f.Walk(blind{}) },
		"WriteTo":       func() error { _, err := f.WriteTo(io.Discard); return err },
	} {
		if err := code(); err == nil || err.Error() != want || fault.KindOf(err) != fault.Unsupported {
			t.Errorf("%s: err = %v; want an error, err = %v, err of kind fault.Unsupported", name, err, want)
		}
	}
	if c := f.Coverage(); !slices.Contains(c.Inexact, gbx.Inexact{Reason: want}) {
		t.Errorf("c.Inexact = %+v; want gbx.Inexact{Reason: want} in c.Inexact", c.Inexact)
	}
	f.Body.Chunks[0].Body = &gbx.Unread{Size: 6}
	if _, err := f.EncodeBody(); err == nil || err.Error() != "header at 0x4: a heavy chunk of 6 bytes was not read" {
		t.Errorf(`err = %v; want an error, err = "header at 0x4: a heavy chunk of 6 bytes was not read"`, err)
	}
	if c := f.Coverage(); len(c.Inexact) != 2 || c.Inexact[1].Reason != "header at 0x4: a heavy chunk of 6 bytes was not read" {
		t.Errorf(`c.Inexact = %+v; want c.Inexact of length 2, c.Inexact[1].Reason = "header at 0x4: a heavy chunk of 6 bytes was not read"`, c.Inexact)
	}
}

// Text and binary are two forms of one file, if all of it is understood.
func TestSetText(t *testing.T) {
	reg := refs()
	f := readWhole(t, compressed(join(testChunk+1, text("body"), nodeEnd)), reg)
	for range 2 {
		if err := f.SetText(true); err != nil || !f.IsText() || f.IsCompressed() {
			t.Fatalf("f.Header = %+v, err = %v; want no error, f.IsText() = true, f.IsCompressed() = false", f.Header, err)
		}
	}
	inText := join("GBX", uint16(6), "TUUR", lines("3f0aa000", "0", "1", "0", "3f0aa002", "body", "facade01"))
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, inText) {
		t.Errorf("saved = %q, err = %v; want no error, saved equal to inText", saved, err)
	}
	if err := f.SetText(false); err != nil || f.IsText() {
		t.Errorf("f.Header = %+v, err = %v; want no error, f.IsText() = false", f.Header, err)
	}
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, binaryFile(testChunk+1, text("body"), nodeEnd)) {
		t.Errorf(`saved = %q, err = %v; want no error, saved equal to binaryFile(testChunk+1, text("body"), nodeEnd)`, saved, err)
	}
	for _, test := range []struct {
		data []byte
		want string
	}{
		{binaryFile(testChunk+8, skip, 1, "?", nodeEnd), "at 0xc: the content of chunk 3F0AA009 is unknown and cannot be converted: unknown chunk"},
		{join("GBX", uint16(6), "BUUR", testClass, 12, 1, testChunk, 0, 1, 0, nodeEnd), "the content of chunk 3F0AA001 is unknown and cannot be converted: unknown chunk"},
	} {
		f := read(t, test.data, reg)
		err := f.SetText(true)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) || fault.KindOf(err) != fault.Unsupported || f.IsText() {
			t.Errorf("%v, want %s", err, test.want)
		}
		if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, test.data) {
			t.Errorf("saved = %q, err = %v; want no error, saved equal to test.data", saved, err)
		}
	}
	_, f = changeable(t)
	if err := f.SetText(true); err == nil || err.Error() != "a text file has no header chunks, and this file has 1" {
		t.Errorf(`err = %v; want an error, err = "a text file has no header chunks, and this file has 1"`, err)
	}
	f.Chunks, f.RawUserData = nil, nil
	if err := f.SetText(true); err != nil {
		t.Error(err)
	}
	if saved, err := f.Encode(); err != nil || !bytes.HasPrefix(saved, join("GBX", uint16(6), "TUUR", lines("3f0aa000", "0", "1", "0"))) {
		t.Errorf(`saved = %q, err = %v; want no error, saved beginning with join("GBX", uint16(6), "TUUR", lines("3f0aa000", "0", "1", "0"))`, saved, err)
	}
}

// The compressed form that a body once had is used again if it is that of the
// body now.
func TestReuseBody(t *testing.T) {
	data, f := changeable(t)
	body := join(testChunk+1, text("BODY"), testChunk+2, 0x34, nodeEnd)
	good := join(byte(17+len(body)), body, "\x11\x00\x00")
	header := len(data) - len(f.PackedBody()) - len("trailer") - 8
	for _, test := range []struct {
		name   string
		packed []byte
		used   bool
	}{
		{"its own", good, true},
		{"that of another body", f.PackedBody(), false},
		{"too short", pack(body[:len(body)-1], lzo1x.Fast), false},
		{"too long", pack(append(body, 0), lzo1x.Fast), false},
		{"none", []byte{1, 2, 3}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, f := changeable(t)
			f.SetCompression(true, lzo1x.Fast)
			setBody(f, "BODY")
			if err := f.ReuseBody(test.packed); err != nil {
				t.Fatal(err)
			}
			packed := pack(body, lzo1x.Fast)
			if test.used {
				packed = good
			}
			want := join(data[:header], len(body), len(packed), packed, "trailer")
			if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, want) {
				t.Errorf("%s: err = %v\nsaved = %q\nwant = %q; expected no error, and that saved is equal to want", test.name, err, saved, want)
			}
		})
	}
	f.Body.Chunks[0].Body = &gbx.Unread{}
	if err := f.ReuseBody(good); err == nil {
		t.Error("the body cannot be coded")
	}
}

// slow is a file that is not in memory.
type slow struct {
	io.ReaderAt
	err error
}

func (s slow) ReadAt(p []byte, at int64) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	return s.ReaderAt.ReadAt(p, at)
}

// A file is read from wherever it is, as long as somebody waits for it.
func TestOpen(t *testing.T) {
	data := binaryFile(testChunk+1, text("body"), nodeEnd)
	f, err := gbx.Open(context.Background(), slow{bytes.NewReader(data), nil}, int64(len(data)), refs())
	if err != nil || !bytes.Equal(f.Source(), data) || len(f.Body.Chunks) != 1 {
		t.Errorf("f = %+v, err = %v; want no error, f.Source() equal to data, f.Body.Chunks of length 1", f, err)
	}
	if _, err := gbx.Open(context.Background(), slow{bytes.NewReader(data), nil}, int64(len(data))+1, refs()); fault.KindOf(err) != fault.Truncated {
		t.Errorf("err = %v; want err of kind fault.Truncated", err)
	}
	if _, err := gbx.Open(context.Background(), slow{nil, io.ErrClosedPipe}, 5, refs()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("err = %v; want err matching io.ErrClosedPipe", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, ra := range []io.ReaderAt{bytes.NewReader(data), slow{bytes.NewReader(data), nil}} {
		if f, err := gbx.Open(ctx, ra, int64(len(data)), refs()); f != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("f = %+v, err = %v; want f = nil, err matching context.Canceled", f, err)
		}
	}
}

// A registry knows the chunks of a class, and rejects a chunk that two classes share.
func TestRegistry(t *testing.T) {
	reg := gbx.NewRegistry([]gbx.ClassInfo{{ID: 0x03043000, Name: "Mine", Parent: "CMwNod"}})
	if c, ok := reg.Class(0x24003000); !ok || c.Name != "Mine" || c.Parent != "CMwNod" {
		t.Errorf(`c = %+v; want ok = true, c.Name = "Mine", c.Parent = "CMwNod"`, c)
	}
	if c, ok := reg.Class(testClass); ok || c.Name != "" {
		t.Errorf(`c = %+v; want ok = false, c.Name = ""`, c)
	}
	for id, want := range map[classid.ID]string{0x03043000: "Mine", 0x24003018: "Mine", 0x0301B000: "CGameCtnCollectorList", testClass: "3F0AA000"} {
		if got := reg.ClassName(id); got != want {
			t.Errorf("%v is %s, want %s", id, got, want)
		}
	}
	if list := reg.Classes(); len(list) != 1 || list[0].Name != "Mine" {
		t.Errorf(`list = %+v; want list of length 1, list[0].Name = "Mine"`, list)
	}
	chunk, header := gbx.ChunkInfo{ID: testChunk}, gbx.ChunkInfo{ID: testChunk, Header: true}
	twice := func(chunks ...gbx.ChunkInfo) (why any) {
		defer func() { why = recover() }()
		registry(chunks...)
		return nil
	}
	if why := twice(chunk, header); why != nil {
		t.Errorf("why = %v; want nil", why)
	}
	if why := twice(chunk, chunk); why != "gbx: chunk 3F0AA001 registered twice" {
		t.Errorf(`why = %v; want "gbx: chunk 3F0AA001 registered twice"`, why)
	}
	if why := twice(header, header); why != "gbx: header chunk 3F0AA001 registered twice" {
		t.Errorf(`why = %v; want "gbx: header chunk 3F0AA001 registered twice"`, why)
	}
}

// A file that is read again has the values that were found, whatever was changed in the
// first one, and can be changed and saved by itself.
func TestAgain(t *testing.T) {
	data, f := changeable(t)
	setHeader(f, "HEAD")
	setBody(f, "BODY")
	again, err := f.Reparse()
	if err != nil {
		t.Fatal(err)
	}
	if h, b := again.Chunks[0].Body.(*single[string]).V, again.Body.Chunks[0].Body.(*single[string]).V; h != "head" || b != "body" {
		t.Errorf("it has the values %q and %q", h, b)
	}
	if string(again.Trailer) != "trailer" || again.MinNumNodes() != 1 || !bytes.Equal(again.PackedBody(), f.PackedBody()) {
		t.Errorf("trailer %q, %d nodes, %d bytes compressed", again.Trailer, again.MinNumNodes(), len(again.PackedBody()))
	}
	if got, err := again.Encode(); err != nil || !bytes.Equal(got, data) {
		t.Errorf("got = %q, err = %v; want no error, got equal to data", got, err)
	}
	if &again.BodyBytes()[0] != &f.BodyBytes()[0] {
		t.Error("the body was decompressed again")
	}
	f.SetCompression(false, lzo1x.Fast)
	if _, err := f.Reparse(); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("a file that was not found is read again: %v", err)
	}
}

// A coding shares the body of the file that has the same one, and leaves its memory to
// the next encoding, which neither changes the shared body nor that of another file.
func TestShare(t *testing.T) {
	_, f := changeable(t)
	setBody(f, "BODY")
	c, err := f.EncodeOutline(blind{})
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.Clone(c.Body)
	saved, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := gbx.Parse(saved, f.Registry())
	if err != nil {
		t.Fatal(err)
	}
	own := &c.Body[0]
	if c.Share(f); &c.Body[0] != own {
		t.Error("it shares another body")
	}
	c.Share(read)
	c.Share(read)
	if &c.Body[0] != &read.BodyBytes()[0] {
		t.Error("the body is not shared")
	}
	setBody(f, "other")
	for range 2 {
		if _, err := f.EncodeOutline(blind{}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(c.Body, body) {
		t.Errorf("the shared body is %q now", c.Body)
	}
}
