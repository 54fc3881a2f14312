package trackmania_test

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/trackmania"
)

func ExampleTimeText() {
	fmt.Println(trackmania.TimeText(36217), trackmania.TimeText(gbx.NoTime))
	// Output: 0:36.217 -:--.---
}
