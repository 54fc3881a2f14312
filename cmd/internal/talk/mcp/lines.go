package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// refusal is the answer to a line that is not a message: an error of JSON-RPC, without the id
// of a question. It is empty for a message.
func refusal(line []byte) string {
	code, why := 0, ""
	var batch []json.RawMessage
	if !json.Valid(line) {
		code, why = jsonrpc.CodeParseError, "the line is not JSON"
	} else if _, err := jsonrpc.DecodeMessage(line); err != nil && (json.Unmarshal(line, &batch) != nil || len(batch) == 0) {
		code, why = jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0"
	} else {
		return ""
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
}

// lines passes on the lines of in that are messages, and answers the others. Package mcp
// ends the talk at these, and waits for the rest of an object that is cut off in its line,
// which swallows all lines behind it.
type lines struct {
	in   *bufio.Scanner
	out  io.Writer
	line []byte
	rest []byte // of line, which is not passed on yet
}

func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{in: bufio.NewScanner(in), out: out}
	l.in.Buffer(nil, mcp.DefaultMaxLineLength)
	return l
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if !l.in.Scan() {
			if err := l.in.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		line := bytes.TrimSpace(l.in.Bytes())
		if len(line) == 0 {
			continue
		}
		if no := refusal(line); no != "" {
			if _, err := io.WriteString(l.out, no); err != nil {
				return 0, err
			}
			continue
		}
		l.line = append(append(l.line[:0], line...), '\n')
		l.rest = l.line
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// shared is a writer for several goroutines. Closing it leaves standard output open.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

func (s *shared) Close() error { return nil }
