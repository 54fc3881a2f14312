package pak_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"pakbox/archive"
	"pakbox/nadeo/pak"
)

func ExampleOpen() {
	f, err := os.Open("../../samples/Sample.Pack.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	in := archive.Input{ReaderAt: f, Size: info.Size(), Name: info.Name()}
	a, err := pak.Open(context.Background(), in, archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range a.Entries()[:2] {
		fmt.Println(e.Name, e.Size)
	}
	// Output:
	// Sample.Ghost.Gbx 1987
	// Sample.Item.Gbx 115
}

func ExampleHashName() {
	fmt.Println(pak.HashName("Media/Texture/Grass.dds"))
	// Output: 711433CA150403A7F85F72D059D4E731D6
}

func ExampleNames() {
	names, err := pak.ReadNames(strings.NewReader("Media/Texture/Grass.dds\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	// The pack stores the entry in Media, so the rest of the path is hashed.
	fmt.Println(names.Resolve(pak.HashName(`texture\grass.dds`)))
	// Output: Texture\Grass.dds true
}

func ExamplePacklist() {
	list := &pak.Packlist{Salt: 1}
	if err := list.Set("Stadium", "00112233445566778899AABBCCDDEEFF"); err != nil {
		fmt.Println(err)
		return
	}
	data, err := list.Append(nil, pak.TrackMania)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := pak.ReadPacklist(data, pak.TrackMania)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.BaseKey("STADIUM"))
	// Output: 00112233445566778899AABBCCDDEEFF true
}
