package lzo1x

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// liblzo2 runs the reference implementation in a Python process that loads the
// system's shared library, so that nothing of it becomes part of this project.
// The process holds the bodies, does one pass over all of them per request and
// times itself; the time of as many empty foreign calls is taken off, so that
// the reference is measured as a C program would see it.
type liblzo2 struct {
	requests io.Writer
	replies  *bufio.Reader
}

const liblzo2Script = `
import ctypes, struct, sys, time
lib = ctypes.CDLL("liblzo2.so.2")
size, now = ctypes.c_size_t, time.perf_counter_ns
pairs = []
with open(sys.argv[1], "rb") as f:
    while head := f.read(8):
        r, c = struct.unpack("<II", head)
        pairs.append((f.read(r), f.read(c)))
room = max(len(r) for r, c in pairs) * 2 + 4096
out, work, got = ctypes.create_string_buffer(room), ctypes.create_string_buffer(1 << 20), size()

def run(name, stream, exact):
    call, total = getattr(lib, name), 0
    start = now()
    for r, c in pairs:
        data = c if stream else r
        got.value = len(r) if exact else room
        call(data, size(len(data)), out, ctypes.byref(got), work)
        total += got.value
    return now() - start, total

print("ready", flush=True)
for line in sys.stdin:
    name = line.strip()
    stream = "decompress" in name
    spent, total = run(name, stream, stream)
    empty, _ = run("lzo_version", stream, stream)
    print(spent - empty, total, flush=True)
`

// startLiblzo2 gives the reference its bodies, or returns nil after one line
// that says why it cannot run.
func startLiblzo2(tb testing.TB, bodies []body) *liblzo2 {
	tb.Helper()
	data := filepath.Join(tb.TempDir(), "bodies")
	f, err := os.Create(data)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for _, b := range bodies {
		binary.Write(w, binary.LittleEndian, [2]uint32{uint32(len(b.raw)), uint32(len(b.packed))})
		w.Write(b.raw)
		w.Write(b.packed)
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", liblzo2Script, data)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		tb.Logf("no reference: %v", err)
		return nil
	}
	tb.Cleanup(func() { in.Close(); cmd.Wait() })
	ref := &liblzo2{in, bufio.NewReader(out)}
	if line, err := ref.replies.ReadString('\n'); err != nil {
		tb.Logf("no reference: python3 cannot load liblzo2.so.2 (%q)", line)
		return nil
	}
	return ref
}

// pass runs one function of the library over all bodies and returns the time
// and the sum of the sizes it gave.
func (l *liblzo2) pass(tb testing.TB, function string) (time.Duration, int) {
	tb.Helper()
	fmt.Fprintln(l.requests, function)
	var spent time.Duration
	var total int
	if _, err := fmt.Fscan(l.replies, &spent, &total); err != nil {
		tb.Fatalf("reference: %v", err)
	}
	return spent, total
}
