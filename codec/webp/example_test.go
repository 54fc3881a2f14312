package webp_test

import (
	"fmt"
	"image"
	"log"

	"pakbox/codec/webp"
)

// Encode writes a WebP without loss.
func ExampleEncode() {
	data, err := webp.Encode(image.NewNRGBA(image.Rect(0, 0, 64, 64)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %s\n", data[:4], data[8:12])
	// Output: RIFF WEBP
}
