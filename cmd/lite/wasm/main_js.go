// Wasm is package lite as WebAssembly: it defines the function pakboxLite.
package main

import (
	"errors"
	"strings"
	"syscall/js"

	"pakbox/cmd/lite"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/nadeo"
)

func main() {
	js.Global().Set("pakboxLite", js.FuncOf(open))
	select {} // until the page is closed
}

// open implements pakboxLite(bytes). It reads a map and returns its facts, the coloured
// names of the map and its author, whether it was read only in part, and a function that
// returns the thumbnail. In place of each it may return an error.
func open(_ js.Value, args []js.Value) any {
	data := make([]byte, args[0].Get("byteLength").Int())
	js.CopyBytesToGo(data, args[0])
	m, err := lite.Open(data)
	if err != nil {
		return problem(err)
	}
	return map[string]any{
		"facts": object(m.Facts()), "partial": m.IsPartial(),
		"name": painted(m.Name()), "author": painted(m.Author().Nick),
		"thumbnail": js.FuncOf(func(js.Value, []js.Value) any {
			picture, err := m.Thumbnail()
			if err != nil {
				return problem(err)
			}
			bytes := js.Global().Get("Uint8Array").New(len(picture))
			js.CopyBytesToJS(bytes, picture)
			return map[string]any{"data": bytes}
		}),
	}
}

// painted returns a name as pieces with their colours, as the explorer's page draws it.
func painted(name string) any {
	list := []any{}
	for _, s := range nadeo.Spans(name) {
		list = append(list, map[string]any{"text": s.Text, "color": s.Color, "bold": s.Bold, "italic": s.Italic, "wide": s.Wide, "narrow": s.Narrow})
	}
	return list
}

// object turns a record into a JavaScript object with the fields of the command info's
// JSON.
func object(r fact.Record) js.Value {
	made := js.Global().Get("Object").New()
	for _, v := range r {
		if v.Kind == fact.Group {
			continue
		}
		in, name := made, v.Name
		if group, member, nested := strings.Cut(v.Name, "."); nested {
			if name = member; made.Get(group).IsUndefined() {
				made.Set(group, js.Global().Get("Object").New())
			}
			in = made.Get(group)
		}
		in.Set(name, value(v.Value))
	}
	return made
}

func value(v any) any {
	list, ok := v.([]string)
	if !ok {
		return v
	}
	values := make([]any, len(list))
	for i := range list {
		values[i] = list[i]
	}
	return values
}

// problem describes an error in the same form as the other programs of pakbox.
func problem(err error) any {
	p := map[string]any{"kind": string(fault.KindOf(err)), "message": err.Error()}
	var e *fault.Error
	if errors.As(err, &e) && e.Offset != fault.NoOffset {
		p["offset"] = e.Offset
	}
	return map[string]any{"error": p}
}
