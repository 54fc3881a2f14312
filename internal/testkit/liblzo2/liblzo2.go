// Package liblzo2 runs the common implementation of LZO1X, for tests and benchmarks that
// compare with it. A Python process loads the system's shared library. Nothing of the
// library becomes part of this project.
package liblzo2

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// Process holds bodies, compresses or decompresses them, and measures its own time. It
// subtracts the time of as many empty calls, so that the figure is that of a C program.
type Process struct {
	requests io.Writer
	replies  *bufio.Reader
}

//go:embed process.py
var script string

// Body is content, raw and compressed.
type Body struct{ Raw, Packed []byte }

// Start starts the process with bodies. It ends the test if the library is missing.
func Start(tb testing.TB, bodies []Body) *Process {
	tb.Helper()
	var data []byte
	for _, b := range bodies {
		data = binary.LittleEndian.AppendUint32(data, uint32(len(b.Raw)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(b.Packed)))
		data = append(append(data, b.Raw...), b.Packed...)
	}
	file := filepath.Join(tb.TempDir(), "bodies")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(peer.Python(tb), "-c", script, file)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { in.Close(); cmd.Wait() })
	p := &Process{in, bufio.NewReader(out)}
	if _, err := p.replies.ReadString('\n'); err != nil {
		peer.Missing(tb, "Python cannot load liblzo2.so.2 (Debian: liblzo2-2)")
	}
	return p
}

// do sends a request and returns the two numbers of the answer.
func (p *Process) do(tb testing.TB, request ...any) (first int64, second int) {
	tb.Helper()
	fmt.Fprintln(p.requests, request...)
	if _, err := fmt.Fscan(p.replies, &first, &second); err != nil {
		tb.Fatalf("liblzo2: %v", err)
	}
	return first, second
}

// Time runs a function on all bodies. It returns the processor time, and the number of
// bytes in the results.
func (p *Process) Time(tb testing.TB, function string) (spent time.Duration, size int) {
	tb.Helper()
	ns, size := p.do(tb, "time", function)
	return time.Duration(ns), size
}

// Unpack returns how many of the streams a function decodes correctly.
func (p *Process) Unpack(tb testing.TB, function string) (good int) {
	tb.Helper()
	_, good = p.do(tb, "unpack", function)
	return good
}

// Pack returns the streams that a function makes from the bodies.
func (p *Process) Pack(tb testing.TB, function string) (streams [][]byte) {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), function)
	p.do(tb, "pack", function, file)
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	for len(data) > 0 {
		size := binary.LittleEndian.Uint32(data)
		streams = append(streams, data[4:4+size])
		data = data[4+size:]
	}
	return streams
}
