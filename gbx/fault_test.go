package gbx_test

import (
	"bytes"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// Damage of a container is reported with its offset.
func TestFaults(t *testing.T) {
	packed := pack(join(nodeEnd), lzo1x.Fast)
	head := join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0)
	for _, test := range []struct {
		data []byte
		want string
	}{
		{nil, "magic at 0x0: not a GBX file"},
		{join("GB"), "magic at 0x0: not a GBX file"},
		{join("GBX\x06"), "version at 0x3: needs 2 bytes, 1 remain"},
		{join("GBX", uint16(2), "BUUR"), "version at 0x3: GBX version 2 is not one of 3 to 6"},
		{join("GBX", uint16(0x106), "BUUR"), "version at 0x3: GBX version 262 is not one of 3 to 6"},
		{join("GBX", uint16(6), "BUU"), "unknown at 0x8: needs 1 bytes, 0 remain"},
		{join("GBX", uint16(6), "bUUR"), "format at 0x5: 'b' is neither B nor T"},
		{join("GBX", uint16(6), "BuUR"), "refTableCompression at 0x6: 'u' is neither U nor C"},
		{join("GBX", uint16(6), "BUuR"), "bodyCompression at 0x7: 'u' is neither U nor C"},
		{join("GBX", uint16(6), "BCUR"), "refTableCompression at 0x6: compressed reference tables have never been seen"},
		{join("GBX", uint16(6), "TUCR"), "bodyCompression at 0x7: a text file cannot be compressed"},
		{join("GBX", uint16(6), "BUUR", uint16(1)), "classID at 0x9: needs 4 bytes, 2 remain"},
		{join("GBX", uint16(6), "BUUR", testClass, 5, 1), "userDataSize at 0x11: the file is cut off: the header chunks take 5 bytes, and 4 bytes are there"},
		{join("GBX", uint16(6), "BUUR", testClass, 0, 1), "numExternalNodes at 0x15: needs 4 bytes, 0 remain"},
		{join("GBX", uint16(6), "BUUR", testClass, 0, 1, 1, 0, 0, 4), "externals at 0x21: 1 elements take at least 8 bytes each, and 4 bytes remain"},
		{join("GBX", uint16(6), "BUUR", testClass, 0, 1, 2, 0, 0, 0, text("a"), 0, 0), "folderIndex at 0x32: needs 4 bytes, 0 remain"},
		{join("GBX", uint16(6), "TUUR", lines("3f0aa000", "x")), `userDataSize at 0x13: "x" is not a number as a text file writes it`},
		{join("GBX", uint16(6), "TUUR", lines("3f0aa000", "0", "1234567890123456789012345678901234567890123")), `numNodes at 0x16: "1234567890123456789012345678901234567890" is not a number as a text file writes it`},
		{join("GBX", uint16(6), "TUUR", lines("3f0aa000", "0"), "1"), "numNodes at 0x16: a line without an end"},
		{join(head, 4), "compressedSize at 0x1d: needs 4 bytes, 0 remain"},
		{join(head, 4, len(packed)+1, packed), "body at 0x21: needs 9 bytes, 8 remain"},
		{join(head, 4, 3, "\x01\x02\x03"), "at 0x21: body: lzo1x: input ends before the end marker (at input offset 0)"},
		{join(head, 5, len(packed), packed), "uncompressedSize at 0x19: the body has 4 bytes, not 5"},
		{join(head, 255*len(packed)+65, len(packed), packed), "uncompressedSize at 0x19: a body of 2105 bytes cannot come from 8"},
		{join(head, 255*len(packed)+64, len(packed), packed), "uncompressedSize at 0x19: the body has 4 bytes, not 2104"},
	} {
		_, err := gbx.Parse(test.data, registry())
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %s", test.data, err, test.want)
		}
	}
}

// reasons is a registry of chunks for what can be wrong inside one.
func reasons() *gbx.Registry {
	return registry(
		chunkOf(testChunk, list((*gbx.Coder).U32)),
		chunkOf(testChunk+1, method((*gbx.Coder).String)),
		chunkOf(testChunk+2, method((*gbx.Coder).Ref)),
		chunkOf(testChunk+3, func(x *gbx.Coder, p *gbx.ID) {
			var e gbx.Encapsulation
			st := x.Encapsulated(&e, "frame")
			x.ID(p, "id")
			x.EndEncapsulated(&e, st)
		}),
		chunkOf(testChunk+4, method((*gbx.Coder).ID)),
		chunkOf(testChunk+5, func(x *gbx.Coder, p *uint32) { x.Marker("mark"); x.SmallLen(p, "v") }),
		chunkOf(testChunk+6, func(x *gbx.Coder, p *[]byte) {
			for i := 0; code.While(x, p, i, "v"); i++ {
				x.U8(&(*p)[i], "b")
			}
		}),
		chunkOf(testChunk+7, func(x *gbx.Coder, p *uint32) {
			x.U32(p, "v")
			if *p == 1 {
				x.Unsupported("ones are not known")
			}
		}),
	)
}

// The reason for content that was not understood has its offset.
func TestReasons(t *testing.T) {
	for _, test := range []struct {
		body []byte
		at   int64
		want string
	}{
		{join(), 0, "chunk at 0x0: needs 4 bytes, 0 remain"},
		{join("abc"), 0, "chunk at 0x0: needs 4 bytes, 3 remain"},
		{join(testChunk), 0, "v at 0x4: needs 4 bytes, 0 remain"},
		{join(0x3F0AB001, 1, 2), 0, "at 0x0: unknown chunk 3F0AB001 of CTest without a size, so that it cannot be skipped"},
		{join(testChunk, skip, 9, 1), 0, "chunkSize at 0xc: a chunk takes 9 bytes, 4 remain"},
		{join(testChunk, skip, -1, 1), 0, "chunkSize at 0xc: a chunk takes 4294967295 bytes, 4 remain"},
		{join(testChunk, 3, 1, 2), 0, "v at 0x8: 3 elements take at least 4 bytes each, and 8 bytes remain"},
		{join(testChunk, -1, 1, 2), 0, "v at 0x8: 4294967295 elements take at least 4 bytes each, and 8 bytes remain"},
		{join(testChunk+1, -1, 1, 2), 0, "v at 0x8: needs 4294967295 bytes, 8 remain"},
		{join(testChunk+1, 9, 1, 2), 0, "v at 0x8: needs 9 bytes, 8 remain"},
		{join(testChunk+2, 3), 0, "class at 0x8: needs 4 bytes, 0 remain"},
		{join(testChunk+2, 1000, testClass, nodeEnd), 0, "v at 0x8: node index 1000 is beyond what the file can hold"},
		{join(testChunk+2, 1, 0x3F0AB000, 7), 12, "at 0xc: unknown class 3F0AB000"},
		{join(testChunk+3, 0, 5, 3, 7), 0, "id at 0x10: needs 4 bytes, 1 remain"},
		{join(testChunk+3, 0, 9, 3, 7), 0, "frame at 0xc: an encapsulated block takes 9 bytes, 8 remain"},
		{join(testChunk+3, 0, 12, 3, 7, 8), 0, "at 0x14: 4 bytes are left over in the encapsulated block"},
		{join(testChunk+4, 4, 0), 0, "v at 0x8: IDs of version 4"},
		{join(testChunk+4, 3, 0x40000000, 5, "four"), 0, "v at 0x10: needs 5 bytes, 4 remain"},
		{join(testChunk+5, "Mark\x00", nodeEnd), 0, `at 0x4: the text "mark" is missing`},
		{join(testChunk+5, "mark\xff\x00\x00", nodeEnd), 0, "v at 0xb: the length 127 takes three bytes, not one"},
		{join(testChunk+5, "mark\x80\x00", nodeEnd)[:10], 0, "v at 0x9: needs 2 bytes, 1 remain"},
		{join(testChunk+6, "\x01A\x02", nodeEnd), 0, "v at 0x7: the byte before an element is 2, not 1 or 0"},
		{join(testChunk+7, 1, nodeEnd), 0, "at 0x8: ones are not known"},
		{join(testChunk+7, skip, 4, 1, nodeEnd), 12, "at 0x10: ones are not known"},
		{join(testChunk+7, skip, 5, 2, "!", nodeEnd), 12, "1 of 5 bytes are unknown"},
		{join(testChunk+9, skip, 5, 2, "!", nodeEnd), 12, "unknown chunk"},
		{join(nodeEnd, "behind"), 4, "after the main node"},
	} {
		f := read(t, binaryFile(test.body), reasons())
		if o := f.Coverage().Opaque; len(o) != 1 || o[0].Offset != test.at || o[0].Reason != test.want || !bytes.HasPrefix(test.body[o[0].Offset:], test.body[len(test.body)-int(o[0].Bytes):]) && f.Body.Tail != nil {
			t.Errorf("%q: %+v, want %d: %s", test.body, o, test.at, test.want)
		}
	}
}
