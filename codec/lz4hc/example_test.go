package lz4hc_test

import (
	"fmt"
	"strings"

	"github.com/pierrec/lz4/v4"

	"pakbox/codec/lz4hc"
)

func ExampleAppendCompress() {
	text := strings.Repeat("one block, no frame; ", 40)
	block, err := lz4hc.AppendCompress(nil, []byte(text), lz4hc.High)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]byte, len(text))
	n, err := lz4.UncompressBlock(block, out)
	fmt.Println(len(text), len(block), string(out[:n]) == text, err)
	// Output: 840 35 true <nil>
}
