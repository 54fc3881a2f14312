package main

import (
	"fmt"
	"reflect"
	"strings"

	"pakbox/gbx"
)

// tracer prints the values of the chunks whose ID begins with chunk.
type tracer struct {
	chunk string
	stack []bool // for each open group, whether its values are printed
	lines int
}

// mostLines limits the lines printed for one chunk.
const mostLines = 400

func (t *tracer) on() bool { return len(t.stack) > 0 && t.stack[len(t.stack)-1] }

func (t *tracer) indent() string { return strings.Repeat("  ", len(t.stack)) }

func (t *tracer) print(format string, args ...any) {
	if t.lines++; t.lines < mostLines {
		fmt.Printf(format+"\n", args...)
	}
}

func (t *tracer) Value(string, any) {}

func (t *tracer) Coded(name string, p any, offset, length int64) {
	if !t.on() {
		return
	}
	v := reflect.ValueOf(p).Elem().Interface()
	if b, ok := v.([]byte); ok {
		v = fmt.Sprintf("%d bytes", len(b))
	}
	t.print("%08x %4d %s%s = %v", offset, length, t.indent(), name, v)
}

func (t *tracer) Begin(name string, p any, offset int64) {
	on := t.on()
	if c, ok := p.(*gbx.Chunk); ok {
		name = "chunk " + c.ID.String()
		if on = strings.HasPrefix(c.ID.Latest().String(), t.chunk); on {
			t.lines = 0
		}
	}
	if n, ok := p.(*gbx.Node); ok {
		name = "node " + n.Class.String()
	}
	t.stack = append(t.stack, on)
	if on {
		t.print("%08x      %s%s", offset, t.indent(), name)
	}
}

func (t *tracer) End(int64) {
	if len(t.stack) > 0 {
		t.stack = t.stack[:len(t.stack)-1]
	}
}
