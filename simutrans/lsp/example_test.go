package lsp_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"pakbox/simutrans/lsp"
)

// An editor asks for the abilities of the server, and ends.
func ExampleServe() {
	var in, out bytes.Buffer
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	if err := lsp.Serve(context.Background(), &in, &out, lsp.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(out.String(), `"completionProvider"`))
	// Output: true
}
