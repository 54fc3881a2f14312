package code_test

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/gbx/code"
)

// checkpoints is the content of a chunk: a list of times.
type checkpoints struct{ times []gbx.Time }

// Code reads and writes the chunk.
func (c *checkpoints) Code(x *gbx.Coder) {
	code.List(x, &c.times, 4, "times")
	for i := range c.times {
		x.Time(&c.times[i], x.ElemName(i))
	}
	x.EndList()
}

// The same code writes and reads.
func ExampleList() {
	data, err := gbx.EncodeRecord(&checkpoints{[]gbx.Time{12345, 36217}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(data), "bytes")
	var c checkpoints
	err = gbx.DecodeRecord(data, &c)
	fmt.Println(c.times, err)
	// Output:
	// 12 bytes
	// [0:12.345 0:36.217] <nil>
}
