package zinflate_test

import (
	"bytes"
	"compress/zlib"
	"fmt"

	"pakbox/codec/zinflate"
)

func ExampleInflater_Step() {
	var stream bytes.Buffer
	w := zlib.NewWriter(&stream)
	w.Write([]byte("a rose is a rose is a rose"))
	w.Close()

	var z zinflate.Inflater
	in, out := stream.Bytes(), make([]byte, 10)
	for done := false; !done; {
		nin, nout, ended, err := z.Step(in, out)
		if err != nil {
			fmt.Println(err)
			return
		}
		in, done = in[nin:], ended
		fmt.Printf("%q\n", out[:nout])
	}
	// Output:
	// "a rose is "
	// "a rose is "
	// "a rose"
}
