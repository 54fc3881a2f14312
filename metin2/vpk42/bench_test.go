package vpk42_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/internal/testkit/liblzo2"
	"pakbox/internal/testkit/peer"
	"pakbox/metin2/vpk42"
)

// realData is n bytes of a real program: this one, repeated.
func realData(b *testing.B, n int) []byte {
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Repeat(data, n/len(data)+1)[:n]
}

// BenchmarkPackFast packs 16 files of 8 MiB with LZ4's fast encoder and
// compares with lz4 -1 on the same bytes: processor time per byte, and how
// much two workers gain over one.
func BenchmarkPackFast(b *testing.B) {
	lz4 := peer.Program(b, "lz4", "lz4")
	const size, files = 8 << 20, 16
	data := realData(b, size*files)
	dir := b.TempDir()
	source := filepath.Join(dir, "source")
	if err := os.WriteFile(source, data, 0o666); err != nil {
		b.Fatal(err)
	}
	in, err := os.Open(source)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var items []archive.Item
	for i := range files {
		items = append(items, archive.Item{Name: fmt.Sprint(i), Size: size, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(in, int64(i)*size, size)), nil
		}})
	}
	pack := func(workers int) (wall, cpu time.Duration) {
		out, err := os.Create(filepath.Join(dir, "out.vpk"))
		if err != nil {
			b.Fatal(err)
		}
		defer out.Close()
		wall, cpu = -time.Duration(time.Now().UnixNano()), -liblzo2.CPUTime()
		o := vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 1}
		o.Workers = workers
		if err := vpk42.Write(context.Background(), out, items, o); err != nil {
			b.Fatal(err)
		}
		return wall + time.Duration(time.Now().UnixNano()), cpu + liblzo2.CPUTime()
	}
	var wall1, wall2, cpu1, cpuRef, wallRef time.Duration
	b.SetBytes(size * files)
	for b.Loop() {
		b.StopTimer()
		w, c := pack(1)
		wall1, cpu1 = wall1+w, cpu1+c
		ref := exec.Command(lz4, "-1", "-f", "-q", source, filepath.Join(dir, "out.lz4"))
		start := time.Now()
		if err := ref.Run(); err != nil {
			b.Fatal(err)
		}
		wallRef += time.Since(start)
		cpuRef += ref.ProcessState.UserTime() + ref.ProcessState.SystemTime()
		b.StartTimer()
		w, _ = pack(2)
		wall2 += w
	}
	b.ReportMetric(cpuRef.Seconds()/cpu1.Seconds(), "x-lz4-per-core")
	b.ReportMetric(wallRef.Seconds()/wall1.Seconds(), "x-lz4-1-worker")
	b.ReportMetric(wall1.Seconds()/wall2.Seconds(), "x-2-workers")
}

// BenchmarkVerifyEncrypted opens and verifies 50 encrypted files and compares
// with what it cannot do without: one key derivation, one HMAC over the file.
func BenchmarkVerifyEncrypted(b *testing.B) {
	const files, size = 50, 256 << 10
	data := realData(b, files*size)
	var items []archive.Item
	for i := range files {
		items = append(items, item(fmt.Sprint(i), data[i*size:][:size]))
	}
	o := vpk42.WriteOptions{Store: true, Version: 2, Encrypt: true, Options: withPassphrase("a passphrase")}
	file := write(b, items, o)
	salt := make([]byte, 32)
	var ours, ref time.Duration
	for b.Loop() {
		start := time.Now()
		a := open(b, file, o.Options)
		verifyClean(b, a)
		ours += time.Since(start)
		b.StopTimer()
		start = time.Now()
		key, _ := pbkdf2.Key(sha512.New, "42PK-v1:a passphrase", salt, 200_000, 64)
		mac := hmac.New(sha256.New, key[32:])
		mac.Write(file)
		mac.Sum(nil)
		ref += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(ours.Seconds()/ref.Seconds(), "x-derive+hmac")
}

// BenchmarkExtractStored extracts 256 files of 1 MiB that are stored as they
// are and compares with cp -r of the same files.
func BenchmarkExtractStored(b *testing.B) {
	const files, size = 256, 1 << 20
	data := realData(b, files*size)
	dir := b.TempDir()
	var items []archive.Item
	for i := range files {
		items = append(items, item(fmt.Sprintf("%d/%d.bin", i%16, i), data[i*size:][:size]))
	}
	path := filepath.Join(dir, "stored.vpk")
	if err := writeFile(path, items, vpk42.WriteOptions{Store: true}); err != nil {
		b.Fatal(err)
	}
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		b.Fatal(err)
	}
	defer closer.Close()
	first := filepath.Join(dir, "first")
	extract := func(to string) time.Duration {
		start := time.Now()
		a, err := vpk42.Open(context.Background(), in, archive.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := archive.Extract(context.Background(), a, to, archive.ExtractOptions{}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	extract(first)
	var ours, ref time.Duration
	b.SetBytes(files * size)
	for b.Loop() {
		ours += extract(filepath.Join(dir, "ours"))
		b.StopTimer()
		start := time.Now()
		if err := exec.Command("cp", "-r", first, filepath.Join(dir, "ref")).Run(); err != nil {
			b.Fatal(err)
		}
		ref += time.Since(start)
		os.RemoveAll(filepath.Join(dir, "ours"))
		os.RemoveAll(filepath.Join(dir, "ref"))
		b.StartTimer()
	}
	b.ReportMetric(ref.Seconds()/ours.Seconds(), "x-cp")
}

// peak runs f and returns the most memory that the Go runtime held meanwhile,
// in MiB. Memory of earlier work does not count: to users these are separate
// commands.
func peak(f func()) float64 {
	debug.FreeOSMemory()
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		var most uint64
		for {
			metrics.Read(samples)
			most = max(most, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-done:
				result <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	return float64(<-result) / (1 << 20)
}

// BenchmarkSmallFiles packs, lists, verifies and extracts 100,000 files of
// some 500 bytes.
func BenchmarkSmallFiles(b *testing.B) {
	const n = 100_000
	data := realData(b, 1<<20)
	items := make([]archive.Item, n)
	for i := range items {
		items[i] = item(fmt.Sprintf("dir%03d/file_%06d.txt", i%500, i), data[i*9%len(data)/2:][:i%1000])
	}
	dir := b.TempDir()
	path := filepath.Join(dir, "small.vpk")
	var times [4]time.Duration
	var most [4]float64
	for run := 0; b.Loop(); run++ {
		step := func(i int, f func() error) {
			start := time.Now()
			most[i] = max(most[i], peak(func() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}))
			times[i] += time.Since(start)
		}
		step(0, func() error { return writeFile(path, items, vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 3}) })
		in, closer, err := archive.OpenFile(path)
		if err != nil {
			b.Fatal(err)
		}
		var a *vpk42.Archive
		step(1, func() error {
			if a, err = vpk42.Open(context.Background(), in, archive.Options{}); err != nil {
				return err
			}
			_, err := a.ReadDir("dir007")
			return err
		})
		step(2, func() error { verifyClean(b, a); return nil })
		step(3, func() error {
			return archive.Extract(context.Background(), a, filepath.Join(dir, fmt.Sprint("out", run)), archive.ExtractOptions{})
		})
		closer.Close()
	}
	for i, name := range []string{"pack", "list", "verify", "extract"} {
		b.ReportMetric(times[i].Seconds()/float64(b.N), name+"-s")
		b.ReportMetric(most[i], name+"-MiB")
	}
}

func writeFile(path string, items []archive.Item, o vpk42.WriteOptions) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return vpk42.Write(context.Background(), f, items, o)
}

// BenchmarkLarge packs and extracts an archive of large files, stored and
// compressed. With PAKBOX_BENCH_HUGE=1 it is above 4 GiB, and needs 10 GB of
// disk; without, it is a thirtieth of that.
func BenchmarkLarge(b *testing.B) {
	least, part := int64(4<<30), 1
	if os.Getenv("PAKBOX_BENCH_HUGE") == "" {
		least, part = least/32, 28
	}
	random := make([]byte, 8<<20)
	rand.NewChaCha8([32]byte{3}).Read(random)
	text := realData(b, 4<<20)
	makeItem := func(i int, size int64) archive.Item {
		return archive.Item{Name: fmt.Sprintf("%03d.bin", i), Size: size, Open: func() (io.ReadCloser, error) {
			// Mostly noise, so that the archive stays that large.
			parts := []io.Reader{bytes.NewReader(text)}
			for left := size - int64(len(text)); left > 0; left -= int64(len(random)) {
				parts = append(parts, bytes.NewReader(random[:min(left, int64(len(random)))]))
			}
			return io.NopCloser(io.MultiReader(parts...)), nil
		}}
	}
	for _, test := range []struct {
		name  string
		files int
		size  int64
		opts  vpk42.WriteOptions
	}{
		{"stored", 3, 1500 << 20 / int64(part), vpk42.WriteOptions{Store: true}},
		{"fast", 140 / part, 32 << 20, vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 1}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var items []archive.Item
			for i := range test.files {
				items = append(items, makeItem(i, test.size))
			}
			dir := b.TempDir()
			path := filepath.Join(dir, "large.vpk")
			b.SetBytes(int64(test.files) * test.size)
			var pack, extract float64
			for b.Loop() {
				pack = max(pack, peak(func() {
					if err := writeFile(path, items, test.opts); err != nil {
						b.Fatal(err)
					}
				}))
				extract = max(extract, peak(func() { extractLarge(b, path, filepath.Join(dir, "out"), least) }))
			}
			b.ReportMetric(pack, "pack-MiB")
			b.ReportMetric(extract, "extract-MiB")
		})
	}
}

func extractLarge(b *testing.B, path, dir string, least int64) {
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		b.Fatal(err)
	}
	defer closer.Close()
	if in.Size <= least {
		b.Fatalf("only %d bytes", in.Size)
	}
	a, err := vpk42.Open(context.Background(), in, archive.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{Overwrite: true}); err != nil {
		b.Fatal(err)
	}
}
