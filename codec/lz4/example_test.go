package lz4_test

import (
	"fmt"
	"strings"

	"pakbox/codec/lz4"
)

func Example() {
	text := strings.Repeat("one block, no frame; ", 40)
	block, err := lz4.AppendCompress(nil, []byte(text), lz4.High)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]byte, len(text))
	n, err := lz4.Decompress(out, block)
	fmt.Println(len(text), len(block), string(out[:n]) == text, err)
	// Output: 840 35 true <nil>
}
