package gbxarchive_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"pakbox/archive"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/nadeotest/mapsample"
)

// A map is a folder: its picture, its items, and the XML of its header are
// files. And it has values, which can be asked for by name.
func ExampleFormat_Open() {
	data, err := mapsample.Map()
	if err != nil {
		log.Fatal(err)
	}
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "Sample.Map.Gbx"}
	a, err := gbxarchive.Format{}.Open(context.Background(), in, archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range a.Entries()[:3] {
		fmt.Println(e.Name)
	}
	values, err := a.(*gbxarchive.Archive).Get("header.03043003.mapName")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values[0].Text)
	// Output:
	// header.xml
	// thumbnail.jpg
	// items/Tree.Item.Gbx
	// $f00Sample $zmap
}
