package gbx_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// namedMap is a small map called "Night" with its name in header and body.
func namedMap() []byte {
	name := string([]byte{5, 0, 0, 0}) + "Night"
	var b bytes.Buffer
	word := func(words ...int) {
		for _, w := range words {
			b.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
		}
	}
	b.WriteString("GBX\x06\x00BUUR")
	word(0x03043000, 4+8+27, 1, 0x03043003, 27)
	b.WriteString("\x00") // version
	word(3, -1, -1, -1)   // version of IDs; no uid, environment, author
	b.WriteString(name + "\x06")
	word(2, 0)
	word(0x0304300D, 3, -1, -1, -1)
	word(0x03043011, 1, 0x0301B000, 0x0301B000, 0, 0xFACADE01, -1, 6)
	word(0x03043012)
	b.WriteString(name)
	word(0xFACADE01)
	return b.Bytes()
}

// Reading a map's name takes only its header.
func ExampleReadHeader() {
	data := namedMap()
	h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	if c, ok := gbx.FindHeader[*game.Header03043003](h); ok {
		fmt.Println(c.MapName)
	}
	// Output: Night
}

// A map's name stands in a header chunk and in a body chunk. Changing it
// leaves all other bytes as they are, save for the sizes in the header.
func ExampleFile_Encode() {
	f, err := gbx.Parse(namedMap(), engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	if c, ok := gbx.FindHeader[*game.Header03043003](&f.Header); ok {
		c.MapName = "Day"
	}
	if c, ok := gbx.Find[*game.Chunk03043012](f.Body); ok {
		c.MapName = "Day"
	}
	saved, err := f.Encode()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes became %d\n", len(namedMap()), len(saved))
	fmt.Println(bytes.Count(saved, []byte("Day")), "times Day")
	// Output:
	// 133 bytes became 129
	// 2 times Day
}

// nodes is a visitor that prints every node.
type nodes struct{ depth int }

func (v *nodes) Begin(_ string, p any, _ int64) {
	if n, ok := p.(*gbx.Node); ok {
		fmt.Printf("%*s%s, %d chunks\n", v.depth, "", engine.Registry().ClassName(n.Class), len(n.Chunks))
	}
	v.depth++
}

func (v *nodes) End(int64)                       { v.depth-- }
func (v *nodes) Value(string, any)               {}
func (v *nodes) Coded(string, any, int64, int64) {}

// Walk shows every value to a visitor; this one looks at nodes only.
func ExampleFile_Walk() {
	f, err := gbx.Parse(namedMap(), engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Walk(&nodes{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// CGameCtnChallenge, 3 chunks
	//    CGameCtnCollectorList, 1 chunks
}

// Open reads a whole file. Its content is in structs, named by their chunks.
func ExampleOpen() {
	data := namedMap()
	f, err := gbx.Open(context.Background(), bytes.NewReader(data), int64(len(data)), engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	if c, ok := gbx.Find[*game.Chunk03043012](f.Body); ok {
		fmt.Println(c.MapName)
	}
	// Output: Night
}
