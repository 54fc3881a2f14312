package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// The base protocol: JSON-RPC 2.0. Each message follows a header with its length.

// maxMessage limits the size of a message, so that a wrong length does not allocate much
// memory.
const maxMessage = 64 << 20

// message is a request or notification of the client.
type message struct {
	ID     json.RawMessage `json:"id"` // absent in notifications
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Error codes of JSON-RPC.
const (
	parseError     = -32700
	invalidRequest = -32600
	unknownMethod  = -32601
	invalidParams  = -32602
)

// rpcError is the error of a response.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// conn is the connection to the client.
type conn struct {
	in  *bufio.Reader
	mu  sync.Mutex // protects out
	out io.Writer
}

// read reads the next message. io.EOF means that the client has closed the connection.
func (c *conn) read() (m message, err error) {
	length := -1
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return m, err
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "" {
			break
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return m, err
			}
		}
	}
	if length < 0 {
		return m, errors.New("Content-Length is missing or negative")
	}
	if length > maxMessage {
		return m, fmt.Errorf("message length %d exceeds the limit of %d bytes", length, maxMessage)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(c.in, data); err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, &rpcError{parseError, err.Error()}
	}
	return m, nil
}

// reply answers a request.
func (c *conn) reply(id json.RawMessage, result any, err *rpcError) error {
	if err != nil {
		return c.write(struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   *rpcError       `json:"error"`
		}{"2.0", id, err})
	}
	return c.write(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
}

// notify sends a notification.
func (c *conn) notify(method string, params any) error {
	return c.write(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

func (c *conn) write(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(data), data)
	return err
}
