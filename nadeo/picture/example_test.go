package picture_test

import (
	"bytes"
	"fmt"
	"image/png"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/picture"
)

func ExampleMap() {
	data, err := mapsample.Map()
	if err != nil {
		log.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := picture.Map(m).PNG(&b); err != nil {
		log.Fatal(err)
	}
	size, err := png.DecodeConfig(&b)
	fmt.Println(size.Width > 0, size.Height > 0, err)
	// Output: true true <nil>
}
