package gbx_test

import (
	"bytes"
	"compress/zlib"
	"testing"

	"pakbox/gbx"
)

// forgetful codes a word of which it remembers only the last byte.
func forgetful(x *gbx.Coder, p *uint32) {
	x.U32(p, "v")
	*p &= 0xFF
}

// forgetfulBlock is the content of a compressed block with such a word.
type forgetfulBlock struct{ V uint32 }

func (b *forgetfulBlock) Code(x *gbx.Coder) { forgetful(x, &b.V) }

// deflated is a compressed block as chunks hold it.
func deflated(content []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(content)
	w.Close()
	return join(len(content), b.Len(), b.String())
}

// Saving relies on Coverage to report whether a file can be re-encoded from its values
// without a difference. A file with a difference keeps its bytes.
func TestCoverageTellsWhatIsCodedOtherwise(t *testing.T) {
	const exactChunk, blockChunk = testClass | 2, testClass | 3
	header := chunkOf(testChunk, forgetful)
	header.Header = true
	reg := registry(header, chunkOf(testChunk, forgetful), chunkOf(exactChunk, func(x *gbx.Coder, p *uint32) { x.U32(p, "v") }),
		chunkOf(blockChunk, func(x *gbx.Coder, p *gbx.Zlib[forgetfulBlock, *forgetfulBlock]) { p.Code(x, forgetfulBlock{}, "block") }))
	withHeader := func(word int) []byte {
		return join("GBX", uint16(6), "BUUR", testClass, 16, 1, testChunk, 4, word, 1, 0, nodeEnd)
	}
	for _, test := range []struct {
		name string
		data []byte
		want *gbx.Inexact // or none
	}{
		{"a small word", binaryFile(exactChunk, 0x1234, testChunk, 0x34, nodeEnd), nil},
		{"a word", binaryFile(exactChunk, 0x1234, testChunk, 0x1234, nodeEnd), &gbx.Inexact{Chunk: testChunk, Offset: 13, Reason: "coded differently"}},
		{"a word of a header", withHeader(0x1234), &gbx.Inexact{Reason: "the header is coded differently"}},
		{"a small word of a header", withHeader(0x34), nil},
		{"a block", binaryFile(blockChunk, deflated(join(0x1234)), nodeEnd), &gbx.Inexact{Chunk: blockChunk, Offset: 1, Reason: "the compressed block of 4 bytes is coded differently"}},
		{"a block with a small word", binaryFile(blockChunk, deflated(join(0x34)), nodeEnd), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := gbx.Parse(test.data, reg)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			found := f.Coverage().Inexact
			if (test.want == nil) != (len(found) == 0) || test.want != nil && (len(found) != 1 || found[0] != *test.want) {
				t.Errorf("%s: inexact %+v, want %+v", test.name, found, test.want)
			}
			if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, test.data) {
				t.Errorf("%s: saved as %q (%v)", test.name, saved, err)
			}
		})
	}
}
