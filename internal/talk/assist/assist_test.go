package assist_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/archive"
	"pakbox/internal/explore"
	"pakbox/internal/talk/assist"
	"pakbox/internal/testkit/leak"
)

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	question = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"info","arguments":{"path":"samples/hello.vpk"}}}
`
)

// talk serves the samples to an assistant that says something and goes away.
func talk(tb testing.TB, says string) string {
	files, err := explore.NewFiles([]string{"../../../samples"})
	if err != nil {
		tb.Fatal(err)
	}
	defer files.Close()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	var out bytes.Buffer
	keys := func() (archive.Keys, error) { return archive.Keys{}, nil }
	assist.New("test", files, []string{"samples"}, pakbox.Formats(), keys, false).Serve(ctx, strings.NewReader(says), &out)
	if ctx.Err() != nil {
		tb.Errorf("%q is not answered", says)
	}
	return out.String()
}

// FuzzServe: every line of output is JSON, whatever an assistant says.
func FuzzServe(f *testing.F) {
	f.Add(question)
	f.Add(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"pakbox:///samples/hello.vpk/readme.txt"}}` + "\n")
	f.Add(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ls","arguments":{"path":"samples","from_row":-1}}}` + "\n")
	f.Fuzz(func(t *testing.T, says string) {
		for line := range strings.Lines(talk(t, hello+says)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q answers %q", line, says)
			}
		}
	})
}

// Nothing of a talk stays behind.
func TestLeavesNothing(t *testing.T) {
	talk(t, hello+question) // what is made once
	files, routines := leak.OpenFiles(), runtime.NumGoroutine()
	for range 10 {
		if out := talk(t, hello+question); !strings.Contains(out, `"id":1`) {
			t.Fatalf("the answer is %q", out)
		}
	}
	leak.Settled(t, "open files", files, leak.OpenFiles)
	leak.Settled(t, "goroutines", routines, runtime.NumGoroutine)
}
