package gltf_test

import (
	"io"
	"testing"
	"time"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/internal/meshtest"
)

// BenchmarkExport reads the meshes of all files of the corpus that hold some
// and writes them as glTF. x-decode is the time against that of decoding the
// same files.
func BenchmarkExport(b *testing.B) {
	var files [][]byte
	size := 0
	meshtest.EachFile(b, func(name string, f *gbx.File) {
		if s, err := mesh.Read(f, mesh.Options{}); err != nil || len(s.Nodes) == 0 {
			return
		}
		data, err := f.Encode()
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, data)
		size += len(data)
	})
	b.SetBytes(int64(size))
	var decoding, exporting time.Duration
	for b.Loop() {
		for _, data := range files {
			start := time.Now()
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				b.Fatal(err)
			}
			decoded := time.Now()
			s, err := mesh.Read(f, mesh.Options{})
			if err == nil {
				err = gltf.Write(io.Discard, s, "bench")
			}
			if err != nil {
				b.Fatal(err)
			}
			decoding += decoded.Sub(start)
			exporting += time.Since(decoded)
		}
	}
	b.ReportMetric(exporting.Seconds()/decoding.Seconds(), "x-decode")
	b.ReportMetric(float64(len(files)*b.N)/b.Elapsed().Seconds(), "files/s")
}
