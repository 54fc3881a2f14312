package mapmesh

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh/gltf"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// FuzzOf makes scenes of maps that are wrong somewhere: whatever they say, there
// is an error, or a glTF file whose document can be read.
func FuzzOf(f *testing.F) {
	sample, err := mapsample.Map()
	if err != nil {
		f.Fatal(err)
	}
	file, err := gbx.Parse(sample, engine.Registry())
	if err != nil {
		f.Fatal(err)
	}
	file.SetCompression(false, lzo1x.Fast) // or hardly a change would get through
	plain, err := file.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		m, err := maps.Of(file)
		if err != nil {
			return
		}
		r, err := Of(t.Context(), m, Options{})
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := gltf.Write(&b, r.Scene, ""); err != nil {
			if !errors.Is(err, fault.Unsupported) && !errors.Is(err, fault.Limit) {
				t.Fatalf("err = %v; want err matching fault.Unsupported or err matching fault.Limit", err) // of a scene that Of made
			}
			return
		}
		text := b.Bytes()[20:]
		if !json.Valid(text[:binary.LittleEndian.Uint32(b.Bytes()[12:])]) {
			t.Fatal("the document is no JSON")
		}
	})
}
