package lz4hc

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"
)

// peerScript serves liblz4 over its standard input and output. A request is a
// line "level length size" and the data, of that length; level 0 decodes it to
// size bytes. An answer is a line "length nanoseconds" and the result, which is
// empty after an error.
const peerScript = `
import sys, time
import lz4.block as lz4
src, dst = sys.stdin.buffer, sys.stdout.buffer
dst.write(b"ready\n"); dst.flush()
for line in src:
    level, length, size = map(int, line.split())
    data = src.read(length)
    start = time.perf_counter_ns()
    try:
        if level == 0:
            out = lz4.decompress(data, uncompressed_size=size)
        elif level == 1:
            out = lz4.compress(data, store_size=False)
        else:
            out = lz4.compress(data, mode="high_compression", compression=level, store_size=False)
    except lz4.LZ4BlockError:
        out = b""
    took = time.perf_counter_ns() - start
    dst.write(b"%d %d\n" % (len(out), took)); dst.write(out); dst.flush()
`

// peer is liblz4, as bound by Python's lz4 module.
type peer struct {
	w io.Writer
	r *bufio.Reader
}

// startPeer starts the peer, or skips the test.
func startPeer(tb testing.TB) *peer {
	tb.Helper()
	p := findPeer(tb)
	if p == nil {
		tb.Skip("no Python with the lz4 module (Debian: python3-lz4) to compare with")
	}
	return p
}

// findPeer returns the peer, or nil. Besides the usual Python it tries the
// system's, to which a distribution's module belongs.
func findPeer(tb testing.TB) *peer {
	tb.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		cmd := exec.Command(name, "-c", peerScript)
		w, err := cmd.StdinPipe()
		if err != nil {
			tb.Fatal(err)
		}
		r, err := cmd.StdoutPipe()
		if err != nil {
			tb.Fatal(err)
		}
		if cmd.Start() != nil {
			continue
		}
		p := &peer{w, bufio.NewReader(r)}
		if line, _ := p.r.ReadString('\n'); line == "ready\n" {
			tb.Cleanup(func() { w.Close(); cmd.Wait() })
			return p
		}
		cmd.Wait()
	}
	return nil
}

func (p *peer) compress(tb testing.TB, src []byte, level Level) ([]byte, time.Duration) {
	return p.call(tb, src, int(level), 0)
}

func (p *peer) decompress(tb testing.TB, block []byte, size int) []byte {
	out, _ := p.call(tb, block, 0, size)
	return out
}

func (p *peer) call(tb testing.TB, data []byte, level, size int) ([]byte, time.Duration) {
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
