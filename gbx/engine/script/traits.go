package script

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// Kind is a kind of ManiaScript type.
type Kind uint32

// Kinds of types, as files number them.
const (
	Void Kind = iota
	Boolean
	Integer
	Real
	Class
	Text
	Enum
	Array
	ParamArray
	Vec2
	Vec3
	Int3
	Iso4
	Ident
	Int2
	Struct
	ValueNotComputed
)

// Versions of the chunk with changes in its layout.
const (
	versionFirst   = 2
	versionSmall   = 3 // lengths, kinds and booleans take fewer bytes
	versionStructs = 4
	versionTypes   = 5 // types are listed before the values
	versionBare    = 6 // members of struct types have no default values
	versionLast    = 6
)

// maxTypeDepth bounds how deep types may nest.
const maxTypeDepth = 64

// Traits is the list of values, with their types.
type Traits struct {
	// Types are the types of the values, from version 5 on, for TypeIndex of a
	// trait.
	Types  []Type
	Traits []Trait
}

// Type is the type of a value.
type Type struct {
	Kind Kind
	// Key and Value are the types inside an Array. A plain list has the key Void.
	Key, Value *Type
	// Name and Members describe a Struct.
	Name    string
	Members []Member
}

// Member is a member of a Struct.
type Member struct {
	Name    string
	Type    Type
	Default Value
}

// Trait is one named value.
type Trait struct {
	Name      string
	TypeIndex uint32 // index in Traits.Types, from version 5 on
	Type      *Type
	Value     Value
}

// Value is a value of any type; the type determines the fields in use.
type Value struct {
	Bool  uint32 // as stored
	Int   int32
	Real  float32
	Text  string
	Vec2  gbx.Vec2
	Vec3  gbx.Vec3
	Int2  gbx.Int2
	Int3  gbx.Int3
	Iso4  *gbx.Iso4
	Pairs []Pair  // elements of an Array
	Items []Value // members of a Struct
}

// Pair is an element of an Array. The key of a plain list is not stored.
type Pair struct {
	Key, Value Value
}

// Code reads or writes the traits.
func (t *Traits) Code(x *gbx.Coder, version int) {
	if version < versionFirst || version > versionLast {
		x.Fail(fault.UnsupportedVersion, "version", "script metadata of version %d", version)
		return
	}
	c := coder{x, version}
	if version >= versionTypes {
		code.SmallList(x, &t.Types, 1, "types")
		for i := range t.Types {
			x.Elem(i, &t.Types[i])
			c.typ(&t.Types[i], 0)
			x.EndElem()
		}
		x.EndList()
	}
	openList(c, &t.Traits, 2, "traits")
	for i := range t.Traits {
		x.Elem(i, &t.Traits[i])
		c.trait(t, &t.Traits[i])
		x.EndElem()
		if x.Err() != nil {
			break
		}
	}
	x.EndList()
}

// coder reads or writes in the layout of one version.
type coder struct {
	x       *gbx.Coder
	version int
}

// openList opens a list. From version 3 on its count takes fewer bytes.
func openList[T any](c coder, p *[]T, minSize int, name string) {
	if c.version >= versionSmall {
		code.SmallList(c.x, p, minSize, name)
	} else {
		code.List(c.x, p, minSize, name)
	}
}

func (c coder) text(p *string, name string) {
	if c.version >= versionSmall {
		c.x.SmallString(p, name)
	} else {
		c.x.String(p, name)
	}
}

func (c coder) trait(all *Traits, t *Trait) {
	c.text(&t.Name, "name")
	if c.version < versionTypes {
		if t.Type == nil {
			t.Type = new(Type)
		}
		c.x.Group("type", t.Type)
		c.typ(t.Type, 0)
		c.x.EndGroup()
	} else {
		c.x.SmallLen(&t.TypeIndex, "typeIndex")
		if int64(t.TypeIndex) >= int64(len(all.Types)) {
			c.x.Fail(fault.Corrupt, "typeIndex", "type %d of %d", t.TypeIndex, len(all.Types))
			return
		}
		t.Type = &all.Types[t.TypeIndex]
	}
	c.x.Group("value", &t.Value)
	c.value(t.Type, &t.Value)
	c.x.EndGroup()
}

func (c coder) typ(t *Type, depth int) {
	if depth > maxTypeDepth {
		c.x.Fail(fault.Limit, "type", "types nest deeper than %d", maxTypeDepth)
		return
	}
	if c.version >= versionSmall {
		code.Enum8(c.x, &t.Kind, "kind")
	} else {
		code.Enum32(c.x, &t.Kind, "kind")
	}
	switch t.Kind {
	case Array:
		c.part(&t.Key, "key", depth)
		c.part(&t.Value, "value", depth)
	case Struct:
		c.structType(t, depth)
	}
}

// part codes the type of an Array's keys or values.
func (c coder) part(p **Type, name string, depth int) {
	if c.x.Err() != nil {
		return
	}
	if *p == nil {
		*p = new(Type)
	}
	c.x.Group(name, *p)
	c.typ(*p, depth+1)
	c.x.EndGroup()
}

func (c coder) structType(t *Type, depth int) {
	if c.version < versionStructs {
		c.x.Fail(fault.Corrupt, "kind", "a struct in version %d", c.version)
		return
	}
	x := c.x
	count := uint8(len(t.Members))
	x.U8(&count, "memberCount")
	x.String(&t.Name, "name")
	code.SizedList(x, &t.Members, int(count), 5, "members")
	for i := range t.Members {
		m := &t.Members[i]
		x.Elem(i, m)
		x.String(&m.Name, "name")
		c.typ(&m.Type, depth+1)
		if c.version < versionBare {
			x.Group("default", &m.Default)
			c.value(&m.Type, &m.Default)
			x.EndGroup()
		}
		x.EndElem()
	}
	x.EndList()
}

func (c coder) value(t *Type, v *Value) {
	x := c.x
	if x.Err() != nil {
		return
	}
	switch t.Kind {
	case Void:
	case Boolean:
		c.boolean(v)
	case Integer:
		x.I32(&v.Int, "int")
	case Real:
		x.F32(&v.Real, "real")
	case Text:
		c.text(&v.Text, "text")
	case Vec2:
		x.Vec2(&v.Vec2, "vec2")
	case Vec3:
		x.Vec3(&v.Vec3, "vec3")
	case Int2:
		x.Int2(&v.Int2, "int2")
	case Int3:
		x.Int3(&v.Int3, "int3")
	case Iso4:
		if v.Iso4 == nil {
			v.Iso4 = new(gbx.Iso4)
		}
		x.Iso4(v.Iso4, "iso4")
	case Array:
		c.array(t, v)
	case Struct:
		c.members(t, v)
	default:
		x.Fail(fault.Unsupported, "value", "a script value of kind %d", t.Kind)
	}
}

func (c coder) boolean(v *Value) {
	if c.version < versionSmall {
		c.x.U32(&v.Bool, "bool")
		return
	}
	b := uint8(v.Bool)
	c.x.U8(&b, "bool")
	v.Bool = uint32(b)
}

func (c coder) array(t *Type, v *Value) {
	x := c.x
	openList(c, &v.Pairs, 1, "elements")
	for i := range v.Pairs {
		p := &v.Pairs[i]
		x.Elem(i, p)
		if t.Key.Kind != Void {
			x.Group("key", &p.Key)
			c.value(t.Key, &p.Key)
			x.EndGroup()
		}
		x.Group("value", &p.Value)
		c.value(t.Value, &p.Value)
		x.EndGroup()
		x.EndElem()
	}
	x.EndList()
}

func (c coder) members(t *Type, v *Value) {
	x := c.x
	// A struct stores no count: it has as many values as its type has members.
	code.SizedList(x, &v.Items, len(t.Members), 0, "members")
	if len(v.Items) > len(t.Members) { // in a document that was edited
		x.Fail(fault.SizeMismatch, "members", "%d values for %d members", len(v.Items), len(t.Members))
		return
	}
	for i := range v.Items {
		x.Elem(i, &v.Items[i])
		c.value(&t.Members[i].Type, &v.Items[i])
		x.EndElem()
	}
	x.EndList()
}
