package zinflate_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"

	"pakbox/codec/zinflate"
	"pakbox/internal/testkit/peer"
)

// peerScript decodes streams with the zlib library that Python is linked with.
// A line holds the sizes of the two buffers and a stream; the answer holds,
// call by call, the bytes consumed and produced.
const peerScript = `
import sys, zlib
for line in sys.stdin:
    insize, outsize, data = line.split()
    insize, outsize, data = int(insize), int(outsize), bytes.fromhex(data)
    d, pos, page, calls = zlib.decompressobj(), 0, b"", []
    while not d.eof:
        if not page:
            page = data[pos:pos+insize]
        out = d.decompress(page, outsize)
        used = len(page) - len(d.unconsumed_tail) - len(d.unused_data)
        calls += [used, len(out)]
        pos += used
        page = page[used:]
    print(*calls)
`

// Every step consumes and produces what one call of zlib does. The module in
// folder oracle asks the same of a translation of zlib, with more variety.
func TestStepsAgreeWithZlib(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var input bytes.Buffer
	type job struct {
		stream  []byte
		in, out int
	}
	var jobs []job
	for i := range 120 {
		j := job{mixedStream(rng), zinflate.PageIn, zinflate.PageOut}
		if i%2 == 1 {
			j.in, j.out = 1+rng.IntN(600), 1+rng.IntN(3000)
		}
		jobs = append(jobs, j)
		fmt.Fprintf(&input, "%d %d %s\n", j.in, j.out, hex.EncodeToString(j.stream))
	}
	cmd := exec.Command(peer.Python(t), "-c", peerScript)
	cmd.Stdin = &input
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := bufio.NewReader(bytes.NewReader(answer))
	calls := 0
	for i, j := range jobs {
		var z zinflate.Inflater
		var page []byte
		out := make([]byte, j.out)
		pos := 0
		for done := false; !done; calls++ {
			if len(page) == 0 {
				page = j.stream[pos:min(pos+j.in, len(j.stream))]
			}
			var nin, nout, wantIn, wantOut int
			nin, nout, done, err = z.Step(page, out)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fscan(want, &wantIn, &wantOut); err != nil {
				t.Fatal(err)
			}
			if nin != wantIn || nout != wantOut {
				t.Fatalf("stream %d at %d: %d in and %d out, zlib has %d and %d", i, pos, nin, nout, wantIn, wantOut)
			}
			pos, page = pos+nin, page[nin:]
		}
	}
	t.Logf("%d calls over %d streams agree", calls, len(jobs))
}

// mixedStream has stored, fixed and dynamic blocks, literals and far matches.
func mixedStream(rng *rand.Rand) []byte {
	levels := []int{zlib.HuffmanOnly, 0, 1, 6, 9}
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, levels[rng.IntN(len(levels))])
	data := text(50000)
	for range 1 + rng.IntN(12) {
		at := rng.IntN(len(data))
		w.Write(data[at:min(len(data), at+rng.IntN(6000))])
		w.Write(binary.LittleEndian.AppendUint64(nil, rng.Uint64()))
		if rng.IntN(3) == 0 {
			w.Flush()
		}
	}
	w.Close()
	return b.Bytes()
}
