package gbx_test

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// seedMap is a small map with an uncompressed body: header chunk, IDs, node
// references, a skippable chunk, an encapsulated block, an unknown chunk.
func seedMap() []byte {
	var b bytes.Buffer
	put := func(parts ...any) {
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				b.WriteString(p)
			case int:
				b.Write([]byte{byte(p), byte(p >> 8), byte(p >> 16), byte(p >> 24)})
			}
		}
	}
	put("GBX\x06\x00BUUR", 0x03043000)
	put(16, 1, 0x03043004, 4, 6)
	put(3, 0)
	put(0x0304300D, 3, 0x40000000, 3, "Car", 6, 0x40000001)
	put(0x03043011, 1, 0x0301B000, 0x0301B000, 0, 0xFACADE01, -1, 8)
	put(0x03043018, 0x534B4950, 8, 1, 3)
	put(0x03043054, 0x534B4950, 12+12, 1, 0, 12, 0, 0, 0)
	put(0x03043FFF, 0x534B4950, 2, "??")
	put(0xFACADE01)
	return b.Bytes()
}

// FuzzReadFile: whatever the bytes, reading answers with a file or a fault,
// and a file that was read is saved, and its values are coded, to the same
// bytes.
func FuzzReadFile(f *testing.F) {
	f.Add(seedMap())
	f.Add([]byte("GBX\x06\x00TUUE3043000\r\n0\r\n1\r\n0\r\n3043012\r\nname\r\nfacade01\r\n"))
	f.Add([]byte("GBX\x05\x00BUCR\x00\x30\x04\x03\x01\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x08\x00\x00\x00\x15\x01\xde\xca\xfa\x11\x00\x00"))
	f.Add(binaryFile(0x0304301F, 3, 0x40000000, text("uid"), 26, -1, text("name"), -1, -1, -1, 1, 1, 1, 0, 6, 1,
		0x40000000, text("block"), "\x00\x01\x02\x03", 0x1000, -1))
	f.Add(binaryFile(packedLists()...))
	f.Add(join("GBX", uint16(6), "BUUR", 0x03043000, 40, 3, 0x03043004, 4, 0x03043007, -1<<31|4, 0x03043004, 4, 6, 0, 6, 1, 0, nodeEnd))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data, engine.Registry()) })
}

// packedLists are a list of blocks of every kind, baked blocks, and zone
// genealogies: lists that are kept packed.
func packedLists() []any {
	const place = "\x00\x01\x02\x03"
	node := join(0x0311D000, 0x0311D002, 2, 0x40000001, 0x40000001, 1, 2, 0x40000001, nodeEnd)
	genealogies := join(4,
		0x0311D000, 0x0311D002, 1, 3, 0x40000000, text("zone"), 0, 0, 0x40000001, nodeEnd,
		node, -1, join(0x0311D000, 0x0311D001, 1, 2, nodeEnd))
	return []any{
		0x0304301F, 3, 0x40000000, text("uid"), 26, -1, text("name"), -1, -1, -1, 1, 1, 1, 0, 6, 10,
		0x40000000, text("block"), place, 0x1000,
		0x40000002, place, 0x1000,
		0x40000002, place, 0x8000, 0x40000001, -1,
		0x40000002, place, 0x8000, 0x40000001, -1,
		0x40000002, place, 0x28000, 0x40000001, -1, 0x40000002, 1, 2,
		0x40000002, place, 0x20000, 0x40000001, 3, 4,
		0x40000001, place, -1,
		0x40000002, place, 0x8000, 0x40000001, 1, 0x03059000, nodeEnd,
		0x40000001, place, 0x148000, 0x40000000, text("author"), -1, -1, 1, 5, 6, 0,
		0x40000003, place, 0x20000000, 0x80000002, place, 0,
		0x03043048, 0x534B4950, 4 + 4 + 4 + 2*12 + 4 + 4, 0, 6, 2, 0x40000001, place, 0, 0x40000002, place, 0, 0, 0,
		0x03043043, 0x534B4950, 8 + len(genealogies), 0, len(genealogies), genealogies,
		nodeEnd,
	}
}

// The lists decode to the last byte.
func TestPackedLists(t *testing.T) {
	f := read(t, binaryFile(packedLists()...), engine.Registry())
	if c := f.Coverage(); len(c.Opaque) != 0 || len(f.Body.Chunks) != 3 {
		t.Errorf("%d chunks; coverage = %+v", len(f.Body.Chunks), c)
	}
}

func TestSeedMap(t *testing.T) {
	f, err := gbx.Parse(seedMap(), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	c := f.Coverage()
	if len(c.Inexact) != 0 || len(c.Opaque) != 1 || c.Opaque[0].Chunk != 0x03043FFF || c.DecodedBytes != c.BodyBytes-2 {
		t.Errorf("coverage = %+v", c)
	}
}

// Truncated and flipped files give faults or opaque regions, never a panic.
func TestDamage(t *testing.T) {
	seed := seedMap()
	try := func(data []byte) { checkRead(t, data, engine.Registry()) }
	for n := range seed {
		try(seed[:n])
		for bit := range 8 {
			flipped := bytes.Clone(seed)
			flipped[n] ^= 1 << bit
			try(flipped)
		}
	}
}
