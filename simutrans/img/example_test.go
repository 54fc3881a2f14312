package img_test

import (
	"fmt"
	"image"
	"image/color"

	"pakbox/simutrans/img"
)

// A picture as the game stores it, with 15 bits for a colour.
func ExampleEncode() {
	red := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	for i := range 8 {
		red.SetNRGBA(i%4, i/4, color.NRGBA{R: 255, A: 255})
	}
	stored := img.Encode(img.FromNRGBA(red), 0, 0)
	back, err := stored.Bitmap()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stored.W, stored.H, back.NRGBA().NRGBAAt(1, 1))
	// Output: 4 2 {248 0 0 255}
}
