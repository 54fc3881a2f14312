package lzo1x_test

import (
	"errors"
	"fmt"
	"strings"

	"pakbox/codec/lzo1x"
)

func Example() {
	text := strings.Repeat("round and round ", 100)
	packed, err := lzo1x.AppendCompress(nil, []byte(text), lzo1x.Best)
	fmt.Println(len(text), "bytes in", len(packed), err)

	body := make([]byte, len(text)) // the size is kept by the format around the stream
	n, err := lzo1x.Decompress(body, packed)
	fmt.Println(string(body[:5]), n, err)
	// Output:
	// 1600 bytes in 25 <nil>
	// round 1600 <nil>
}

func ExampleAppendDecompress() {
	packed := []byte("\x13Ha\x20\xff\x04\x00\x11\x00\x00")
	_, err := lzo1x.AppendDecompress(nil, packed, 100)
	fmt.Println(errors.Is(err, lzo1x.ErrOutputFull), err)

	laugh, err := lzo1x.AppendDecompress(nil, packed, 1000)
	fmt.Println(len(laugh), err)
	// Output:
	// true lzo1x: output is larger than the room given for it (at input offset 3)
	// 290 <nil>
}
