package pin_test

import (
	"fmt"

	"pakbox/simutrans/pin"
)

// A pin of a decompiled source, without the comment sign.
func ExampleParse() {
	p, ok, err := pin.Parse("node 000.FACT/003.FSUP rest=6400")
	fmt.Println(p.Path, p.Name, p.Value, ok, err)
	// Output: 000.FACT/003.FSUP rest 6400 true <nil>
}
