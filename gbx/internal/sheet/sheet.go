// Package sheet reads chunk sheets, from which the code of chunks is generated.
// docs/chunk-sheets.md describes the language.
package sheet

import "fmt"

// Sheet is the description of one class.
type Sheet struct {
	File    string
	Class   string
	ID      uint32
	Parent  string
	Doc     string
	Chunks  []*Chunk
	Plain   *Block // content of a class without chunks, else nil
	Structs []*Struct
	Enums   []*Enum
	Externs []*Extern
}

// Chunk describes one chunk.
type Chunk struct {
	Line   int
	ID     uint32
	Header bool
	Skip   bool
	Name   string
	Games  []string // "TMF", or "TMF.11" with the highest version seen
	Doc    string
	Body   Block
}

// Struct describes a named group of fields. It may have parameters.
type Struct struct {
	Line   int
	Name   string
	Params []string
	Doc    string
	Body   Block
}

// Enum gives names to numbers.
type Enum struct {
	Line   int
	Name   string
	Flags  bool // the values are bits
	Doc    string
	Values []EnumValue
}

// EnumValue is one named number, or one bit of flags.
type EnumValue struct {
	Name  string
	Value uint32
	Doc   string
}

// Extern is a type written in Go by hand.
type Extern struct {
	Line int
	Name string
	List bool // the type is a list, and opens the list itself under the name of the field
	Doc  string
}

// Block is a sequence of statements.
type Block []Stmt

// Stmt is one statement of a block.
type Stmt interface{ Pos() int }

type at int

func (l at) Pos() int { return int(l) }

type (
	// Field is a value of the file.
	Field struct {
		at
		Type Type
		Name string // "" if the sheet has _
		Doc  string
	}
	// If is a condition. Group is the name of the optional group that its fields form.
	If struct {
		at
		Cond  Expr
		Group string
		Doc   string
		Then  Block
		Else  Block
	}
	// Base includes the fields of another chunk of the class.
	Base struct {
		at
		ID uint32
	}
	// Marker is a fixed text in the file.
	Marker struct {
		at
		Text string
	}
	// Unsupported stops reading at something that the sheet does not describe.
	Unsupported struct {
		at
		Message string
	}
	// Return ends the chunk or struct.
	Return struct{ at }
	// Encapsulated is a block with its own IDs.
	Encapsulated struct {
		at
		Name string
		Body Block
	}
	// Zlib is a compressed block.
	Zlib struct {
		at
		Name string
		Args []string
		Doc  string
		Body Block
	}
)

// Type is the type of a field.
type Type struct {
	Raw   bool   // binary even in text files
	Name  string // "uint32", "node", the name of a struct, …
	Of    string // the text in <>: an enum or a class
	Args  []Expr // the expressions in ()
	Count *Count // the count in []; nil if the field is not a list
}

// CountKind is how the length of a list is stored.
type CountKind int

// The kinds of lists.
const (
	CountWord  CountKind = iota // []: 32-bit count
	CountOld                    // [old]: version word, 32-bit count
	CountByte                   // [byte]: 8-bit count
	CountShort                  // [uint16]: 16-bit count
	CountSmall                  // [small]: a count of one or three bytes
	CountWhile                  // [while]: a byte 1 before each element, a byte 0 at the end
	CountFixed                  // [3]: a fixed number of elements
	CountExpr                   // [expression]: a computed number of elements
)

// Count is how the length of a list is found.
type Count struct {
	Kind  CountKind
	Fixed int
	Expr  Expr
}

// Error is a mistake in a sheet.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }
