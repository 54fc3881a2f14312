// Wasm is package lite as WebAssembly: it defines the function pakboxLite.
package main

import (
	"errors"
	"strings"
	"syscall/js"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/web/lite"
	"pakbox/trackmania"
)

func main() {
	js.Global().Set("pakboxLite", js.FuncOf(open))
	select {} // until the page is closed
}

// open reads a map: pakboxLite(bytes) returns its facts, its name and its author's in
// their colours, whether it was read in part, and a function that returns the
// thumbnail. Instead of any of them it may return an error.
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

// painted is a name in its colours, as the explorer's page draws it.
func painted(name string) any {
	list := []any{}
	for _, s := range trackmania.Spans(name) {
		list = append(list, map[string]any{"text": s.Text, "color": s.Color, "bold": s.Bold, "italic": s.Italic, "wide": s.Wide, "narrow": s.Narrow})
	}
	return list
}

// object is a record as an object, with the fields that the JSON of info has.
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

// problem describes an error, as other faces of pakbox do.
func problem(err error) any {
	p := map[string]any{"kind": string(fault.KindOf(err)), "message": err.Error()}
	var e *fault.Error
	if errors.As(err, &e) && e.Offset != fault.NoOffset {
		p["offset"] = e.Offset
	}
	return map[string]any{"error": p}
}
