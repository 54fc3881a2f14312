package maps

import (
	"fmt"
	"strconv"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
)

// MetaValue is a value that a script stored in a map.
type MetaValue struct {
	Name string `json:"name" doc:"name of the value"`
	Type string `json:"type" doc:"type in the script's language"` // Integer, Text, Integer[], …
	// Value is nil, bool, int32, finite float32, string, or lists and maps of these.
	Value any `json:"value" doc:"the value"`
}

func (m *Map) traits() *script.Chunk11002000 {
	node := value(m, func(c *game.Chunk03043044) *gbx.Node { return c.ScriptMetadata.Node })
	t, _ := gbx.Find[*script.Chunk11002000](node)
	return t
}

// Meta returns the values that scripts stored in the map.
func (m *Map) Meta() []MetaValue {
	t := m.traits()
	if t == nil {
		return nil
	}
	out := make([]MetaValue, len(t.Traits.Traits))
	for i := range t.Traits.Traits {
		v := &t.Traits.Traits[i]
		out[i] = MetaValue{v.Name, metaType(v.Type), metaValue(v.Type, &v.Value)}
	}
	return out
}

var metaKinds = map[script.Kind]string{
	script.Void: "Void", script.Boolean: "Boolean", script.Integer: "Integer", script.Real: "Real", script.Class: "Class",
	script.Text: "Text", script.Enum: "Enum", script.Vec2: "Vec2", script.Vec3: "Vec3", script.Int2: "Int2", script.Int3: "Int3",
	script.Iso4: "Iso4", script.Ident: "Ident",
}

// metaType writes a type in ManiaScript.
func metaType(t *script.Type) string {
	switch {
	case t == nil:
		return ""
	case t.Kind == script.Array && t.Key.Kind == script.Void:
		return metaType(t.Value) + "[]"
	case t.Kind == script.Array:
		return metaType(t.Value) + "[" + metaType(t.Key) + "]"
	case t.Kind == script.Struct:
		return t.Name
	}
	if name, ok := metaKinds[t.Kind]; ok {
		return name
	}
	return fmt.Sprintf("Kind%d", t.Kind)
}

func metaValue(t *script.Type, v *script.Value) any {
	switch t.Kind {
	case script.Boolean:
		return v.Bool != 0
	case script.Integer:
		return v.Int
	case script.Real:
		return metaReal(v.Real)
	case script.Text:
		return v.Text
	case script.Vec2:
		return []any{metaReal(v.Vec2.X), metaReal(v.Vec2.Y)}
	case script.Vec3:
		return []any{metaReal(v.Vec3.X), metaReal(v.Vec3.Y), metaReal(v.Vec3.Z)}
	case script.Int2:
		return []int32{v.Int2.X, v.Int2.Y}
	case script.Int3:
		return []int32{v.Int3.X, v.Int3.Y, v.Int3.Z}
	case script.Array:
		return metaArray(t, v)
	case script.Struct:
		out := map[string]any{}
		for i := range v.Items {
			if i < len(t.Members) {
				out[t.Members[i].Name] = metaValue(&t.Members[i].Type, &v.Items[i])
			}
		}
		return out
	}
	return nil
}

// metaReal returns nil for NaN and infinity, because JSON cannot write them.
func metaReal(f float32) any {
	if f-f != 0 {
		return nil
	}
	return f
}

func metaArray(t *script.Type, v *script.Value) any {
	if t.Key.Kind == script.Void {
		out := make([]any, len(v.Pairs))
		for i := range v.Pairs {
			out[i] = metaValue(t.Value, &v.Pairs[i].Value)
		}
		return out
	}
	out := map[string]any{}
	for i := range v.Pairs {
		out[fmt.Sprint(metaValue(t.Key, &v.Pairs[i].Key))] = metaValue(t.Value, &v.Pairs[i].Value)
	}
	return out
}

// SetMeta changes an existing script value. Only simple values can be set: Boolean,
// Integer, Real and Text.
func (m *Map) SetMeta(name, value string) error {
	t := m.traits()
	if t == nil {
		return fault.New(fault.Unsupported, "no script stored anything in this map")
	}
	for i := range t.Traits.Traits {
		if trait := &t.Traits.Traits[i]; trait.Name == name {
			return setMeta(trait, value)
		}
	}
	return fault.New(fault.Unsupported, "the map holds no value %q", name)
}

func setMeta(t *script.Trait, value string) error {
	var err error
	switch t.Type.Kind {
	case script.Boolean:
		var b bool
		b, err = strconv.ParseBool(value)
		if err == nil {
			t.Value.Bool = 0
			if b {
				t.Value.Bool = 1
			}
		}
	case script.Integer:
		var n int64
		if n, err = strconv.ParseInt(value, 10, 32); err == nil {
			t.Value.Int = int32(n)
		}
	case script.Real:
		var f float64
		if f, err = strconv.ParseFloat(value, 32); f-f != 0 {
			err = strconv.ErrRange
		}
		if err == nil {
			t.Value.Real = float32(f)
		}
	case script.Text:
		t.Value.Text = value
	default:
		return fault.New(fault.Unsupported, "%s is a %s, which cannot be set from one word", t.Name, metaType(t.Type))
	}
	if err != nil {
		return fault.New(fault.Unsupported, "%q is not a value of type %s", value, metaType(t.Type))
	}
	return nil
}
