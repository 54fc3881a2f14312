package lzo1x_test

import (
	"errors"
	"fmt"
	"strings"

	"pakbox/codec/lzo1x"
)

func Example() {
	text := strings.Repeat("round and round ", 100)
	packed := lzo1x.AppendCompress(nil, []byte(text), lzo1x.Best)
	fmt.Println(len(text), "bytes in", len(packed))

	body := make([]byte, len(text)) // the size is kept by the format around the stream
	n, err := lzo1x.Decompress(body, packed)
	fmt.Println(string(body[:5]), n, err)
	// Output:
	// 1600 bytes in 25
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

func ExampleDecompressPrefix() {
	data := []byte("\x14abc\x11\x00\x00and so on")
	dst := make([]byte, 3)
	n, read, err := lzo1x.DecompressPrefix(dst, data)
	fmt.Printf("%s, then %q (%v)\n", dst[:n], data[read:], err)
	// Output:
	// abc, then "and so on" (<nil>)
}
