// Package liblzo2 is what tests and benchmarks of LZO1X compare with: the
// implementation that everyone else uses, in a Python process that loads the
// system's shared library. Nothing of it becomes part of this project.
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

// Process holds bodies, codes them and times itself. The time of as many
// empty calls is taken off, so that the library is measured as a C program
// would see it.
type Process struct {
	requests io.Writer
	replies  *bufio.Reader
}

//go:embed process.py
var script string

// Body is content, and the same content compressed.
type Body struct{ Raw, Packed []byte }

// Start gives the library its bodies. Where it is not there the test ends.
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

// do sends a request and returns the two numbers it is answered with.
func (p *Process) do(tb testing.TB, request ...any) (first int64, second int) {
	tb.Helper()
	fmt.Fprintln(p.requests, request...)
	if _, err := fmt.Fscan(p.replies, &first, &second); err != nil {
		tb.Fatalf("liblzo2: %v", err)
	}
	return first, second
}

// Time has a function code all bodies and returns the processor time that
// takes, and how many bytes it gives.
func (p *Process) Time(tb testing.TB, function string) (spent time.Duration, size int) {
	tb.Helper()
	ns, size := p.do(tb, "time", function)
	return time.Duration(ns), size
}

// Unpack returns how many of the streams a function decodes to their bodies.
func (p *Process) Unpack(tb testing.TB, function string) (good int) {
	tb.Helper()
	_, good = p.do(tb, "unpack", function)
	return good
}

// Pack returns the streams that a function makes of the bodies.
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
