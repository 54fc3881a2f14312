package lzo1x

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// liblzo2 is the implementation that everyone else uses, in a Python process
// that loads the system's shared library: nothing of it becomes part of this
// project. The process holds the bodies and times itself. The time of as many
// empty calls is taken off, so that the library is measured as a C program
// would see it.
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

def passes(name, decode):
    call, total = getattr(lib, name), 0
    start = now()
    for r, c in pairs:
        data = c if decode else r
        got.value = len(r) if decode else room
        call(data, size(len(data)), out, ctypes.byref(got), work)
        total += got.value
    return now() - start, total

print("ready", flush=True)
for line in sys.stdin:
    command, name, *rest = line.split()
    if command == "time":
        decode = "decompress" in name
        spent, total = passes(name, decode)
        print(spent - passes("lzo_version", decode)[0], total, flush=True)
    if command == "unpack": # count the streams that give the right bytes
        good = 0
        for r, c in pairs:
            got.value = len(r)
            code = getattr(lib, name)(c, size(len(c)), out, ctypes.byref(got), None)
            good += code == 0 and ctypes.string_at(out, got.value) == r
        print(0, good, flush=True)
    if command == "pack": # write the streams to a file
        with open(rest[0], "wb") as f:
            for r, c in pairs:
                got.value = room
                getattr(lib, name)(r, size(len(r)), out, ctypes.byref(got), work)
                f.write(struct.pack("<I", got.value) + ctypes.string_at(out, got.value))
        print(0, len(pairs), flush=True)
`

// startLiblzo2 gives the library its bodies. It returns nil after one line
// that says why, if it cannot run.
func startLiblzo2(tb testing.TB, bodies []body) *liblzo2 {
	tb.Helper()
	var data []byte
	for _, b := range bodies {
		data = binary.LittleEndian.AppendUint32(data, uint32(len(b.raw)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(b.packed)))
		data = append(append(data, b.raw...), b.packed...)
	}
	file := filepath.Join(tb.TempDir(), "bodies")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", liblzo2Script, file)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		tb.Logf("no liblzo2 to compare with: %v", err)
		return nil
	}
	tb.Cleanup(func() { in.Close(); cmd.Wait() })
	lib := &liblzo2{in, bufio.NewReader(out)}
	if _, err := lib.replies.ReadString('\n'); err != nil {
		tb.Log("no liblzo2 to compare with: python3 cannot load liblzo2.so.2")
		return nil
	}
	return lib
}

// do sends a request and returns the time and the number it is answered with.
func (l *liblzo2) do(tb testing.TB, request ...any) (spent time.Duration, n int) {
	tb.Helper()
	fmt.Fprintln(l.requests, request...)
	if _, err := fmt.Fscan(l.replies, &spent, &n); err != nil {
		tb.Fatalf("liblzo2: %v", err)
	}
	return spent, n
}

// TestLiblzo2 has liblzo2 decode what is coded here, and decodes what it has
// coded, which holds kinds of match that the games do not use. Best must be about
// as good as the best of liblzo2 on every input.
func TestLiblzo2(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var best, fast []body
	for _, shape := range shapes {
		for _, n := range []int{0, 1, 2, 5, 30, 300, 5000, 60000} {
			raw := shape.make(r, n)
			best = append(best, body{shape.name, raw, AppendCompress(nil, raw, Best)})
			fast = append(fast, body{shape.name, raw, AppendCompress(nil, raw, Fast)})
		}
	}
	lib := startLiblzo2(t, append(fast, best...))
	if lib == nil {
		t.SkipNow()
	}
	if _, good := lib.do(t, "unpack", "lzo1x_decompress_safe"); good != len(fast)+len(best) {
		t.Errorf("liblzo2 decodes %d of %d streams", good, len(fast)+len(best))
	}
	lib = startLiblzo2(t, best)
	for _, coder := range []string{"lzo1x_1", "lzo1x_1_15", "lzo1x_999"} {
		for i, packed := range lib.pack(t, coder+"_compress") {
			b := best[i]
			raw, err := AppendDecompress(nil, packed, len(b.raw))
			if err != nil || !bytes.Equal(raw, b.raw) {
				t.Errorf("%s of %d bytes by %s: %v", b.file, len(b.raw), coder, err)
			}
			if most := len(packed) + len(packed)/200; coder == "lzo1x_999" && len(b.packed) > most {
				t.Errorf("%s of %d bytes: %d by %s, %d by Best", b.file, len(b.raw), len(packed), coder, len(b.packed))
			}
		}
	}
}

// pack returns the streams that a function of liblzo2 makes of the bodies.
func (l *liblzo2) pack(tb testing.TB, function string) (streams [][]byte) {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), function)
	l.do(tb, "pack", function, file)
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
