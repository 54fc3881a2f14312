package lz4

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// peerScript serves liblz4 over its standard input and output. A request is a
// line "level length size" and the data, of that length. Level 0 decodes it to
// size bytes; level -1 compresses what follows the first size bytes, with those as
// the dictionary. An answer is a line "length nanoseconds" and the result, which is
// empty after an error.
const peerScript = `
import sys, time
import lz4.block as lz4
src, dst = sys.stdin.buffer, sys.stdout.buffer
for line in src:
    level, length, size = map(int, line.split())
    data = src.read(length)
    start = time.perf_counter_ns()
    try:
        if level == 0:
            out = lz4.decompress(data, uncompressed_size=size)
        elif level == -1:
            out = lz4.compress(data[size:], store_size=False, dict=data[:size])
        elif level == 1:
            out = lz4.compress(data, store_size=False)
        else:
            out = lz4.compress(data, mode="high_compression", compression=level, store_size=False)
    except lz4.LZ4BlockError:
        out = b""
    took = time.perf_counter_ns() - start
    dst.write(b"%d %d\n" % (len(out), took)); dst.write(out); dst.flush()
`

// liblz4 is the library that everyone else uses, as bound by Python's lz4 module.
type liblz4 struct {
	w io.Writer
	r *bufio.Reader
}

// startLiblz4 starts the library, or ends the test where it is not there.
func startLiblz4(tb testing.TB) *liblz4 {
	tb.Helper()
	cmd := exec.Command(peer.Python(tb, "lz4"), "-c", peerScript)
	w, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { w.Close(); cmd.Wait() })
	return &liblz4{w, bufio.NewReader(r)}
}

func (p *liblz4) compress(tb testing.TB, src []byte, level Level) ([]byte, time.Duration) {
	return p.call(tb, src, int(level), 0)
}

func (p *liblz4) compressAfter(tb testing.TB, src, dict []byte) []byte {
	out, _ := p.call(tb, append(dict[:len(dict):len(dict)], src...), -1, len(dict))
	return out
}

func (p *liblz4) decompress(tb testing.TB, block []byte, size int) []byte {
	out, _ := p.call(tb, block, 0, size)
	return out
}

func (p *liblz4) call(tb testing.TB, data []byte, level, size int) ([]byte, time.Duration) {
	tb.Helper()
	if _, err := fmt.Fprintln(p.w, level, len(data), size); err != nil {
		tb.Fatal(err)
	}
	if _, err := p.w.Write(data); err != nil {
		tb.Fatal(err)
	}
	var length int
	var took time.Duration
	line, err := p.r.ReadString('\n')
	if err != nil {
		tb.Fatal("peer: ", err)
	}
	if _, err := fmt.Sscan(line, &length, &took); err != nil {
		tb.Fatalf("peer answers %q", line)
	}
	out := make([]byte, length)
	if _, err := io.ReadFull(p.r, out); err != nil {
		tb.Fatal(err)
	}
	return out, took
}
