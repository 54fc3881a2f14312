package nadeo_test

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/nadeo"
)

func ExampleTimeText() {
	fmt.Println(nadeo.TimeText(36217), nadeo.TimeText(gbx.NoTime))
	// Output: 0:36.217 -:--.---
}
