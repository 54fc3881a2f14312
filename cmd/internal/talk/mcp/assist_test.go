package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/talk/mcp"
	"pakbox/internal/testkit/leak"
)

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	question = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"info","arguments":{"path":"samples/hello.vpk"}}}
`
)

// last is the last question of every session. The client disconnects after its answer: the
// server does not answer a client that has disconnected.
const last = `{"jsonrpc":"2.0","id":"last","method":"ping"}
`

// A listener stores the output of the server, and closes a channel at the answer to last.
type listener struct {
	bytes.Buffer
	heard chan struct{}
}

func (l *listener) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(`"id":"last"`)) {
		select {
		case <-l.heard:
		default:
			close(l.heard)
		}
	}
	return l.Buffer.Write(p)
}

// silence is a client that waits, and then disconnects.
type silence struct{ until, or <-chan struct{} }

func (s silence) Read([]byte) (int, error) {
	select {
	case <-s.until:
	case <-s.or:
	}
	return 0, io.EOF
}

// talk serves the samples to a client that sends lines, waits for an answer,
// and disconnects.
func talk(tb testing.TB, says string) string {
	files, err := page.NewFiles([]string{"../../../../samples"})
	if err != nil {
		tb.Fatal(err)
	}
	defer files.Close()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	out := listener{heard: make(chan struct{})}
	in := io.MultiReader(strings.NewReader(says+"\n"+last), silence{out.heard, ctx.Done()})
	keys := func() (archive.Keys, error) { return archive.Keys{}, nil }
	mcp.New("test", files, []string{"samples"}, pakbox.Formats(), keys, false).Serve(ctx, in, &out)
	if ctx.Err() != nil {
		tb.Errorf("%q has no answer", says)
	}
	return out.String()
}

// A line that is not a message gets an error, and the session continues.
func TestBrokenLines(t *testing.T) {
	for says, code := range map[string]string{
		`{"jsonrpc":"2.0","id":{`: "-32700", `["`: "-32700", "x": "-32700", `{"id":3}{"id":4}`: "-32700", "\xff": "-32700",
		"3": "-32600", "null": "-32600", "[]": "-32600", "{}": "-32600", `{"id":1}`: "-32600",
	} {
		out := talk(t, hello+"\r\n"+says+"\n\n")
		if !strings.Contains(out, `"id":null,"error":{"code":`+code+`,`) || !strings.Contains(out, `"id":"last","result":`) {
			t.Errorf("%q: out = %s; want out with `\"id\":null,\"error\":{\"code\":` + code + `,`, out with `\"id\":\"last\",\"result\":`", says, out)
		}
	}
}

// FuzzServe: every line of output is JSON, for any input.
func FuzzServe(f *testing.F) {
	f.Add(question)
	f.Add(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"pakbox:///samples/hello.vpk/readme.txt"}}` + "\n")
	f.Add(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ls","arguments":{"path":"samples","from_row":-1}}}` + "\n")
	f.Add(`{"jsonrpc":"2.0","id":{` + "\n") // once this hid the following lines
	f.Fuzz(func(t *testing.T, says string) {
		for line := range strings.Lines(talk(t, hello+says)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q answers %q", line, says)
			}
		}
	})
}

// A session leaves no files and goroutines.
func TestLeavesNothing(t *testing.T) {
	talk(t, hello+question) // initializes caches
	files, routines := leak.OpenFiles(), runtime.NumGoroutine()
	for range 10 {
		if out := talk(t, hello+question); !strings.Contains(out, `"id":1`) {
			t.Fatalf("the answer is %q", out)
		}
	}
	leak.Settled(t, "open files", files, leak.OpenFiles)
	leak.Settled(t, "goroutines", routines, runtime.NumGoroutine)
}
