package node

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Type is a node's four letter type, stored as a little-endian word, so that types can be
// constants.
type Type uint32

// The node types of Standard. Types marked (x) exist only in Extended.
const (
	ROOT = Type('R' | 'O'<<8 | 'O'<<16 | 'T'<<24)
	TEXT = Type('T' | 'E'<<8 | 'X'<<16 | 'T'<<24)
	XREF = Type('X' | 'R'<<8 | 'E'<<16 | 'F'<<24)
	IMG  = Type('I' | 'M'<<8 | 'G'<<16)
	IMG1 = Type('I' | 'M'<<8 | 'G'<<16 | '1'<<24) // list of IMG
	IMG2 = Type('I' | 'M'<<8 | 'G'<<16 | '2'<<24) // list of IMG1
	IMG3 = Type('I' | 'M'<<8 | 'G'<<16 | '3'<<24) // list of IMG2 (x)

	BRDG = Type('B' | 'R'<<8 | 'D'<<16 | 'G'<<24)
	BUIL = Type('B' | 'U'<<8 | 'I'<<16 | 'L'<<24)
	CCAR = Type('C' | 'C'<<8 | 'A'<<16 | 'R'<<24)
	CRSS = Type('C' | 'R'<<8 | 'S'<<16 | 'S'<<24)
	CURS = Type('C' | 'U'<<8 | 'R'<<16 | 'S'<<24)
	FACT = Type('F' | 'A'<<8 | 'C'<<16 | 'T'<<24)
	FFCL = Type('F' | 'F'<<8 | 'C'<<16 | 'L'<<24) // one kind of fields around a factory
	FFIE = Type('F' | 'F'<<8 | 'I'<<16 | 'E'<<24) // the fields around a factory
	FIEL = Type('F' | 'I'<<8 | 'E'<<16 | 'L'<<24)
	FPRO = Type('F' | 'P'<<8 | 'R'<<16 | 'O'<<24) // a good that a factory makes
	FSMO = Type('F' | 'S'<<8 | 'M'<<16 | 'O'<<24) // the smoke of a factory
	FSUP = Type('F' | 'S'<<8 | 'U'<<16 | 'P'<<24) // a good that a factory consumes
	FUPG = Type('F' | 'U'<<8 | 'P'<<16 | 'G'<<24) // (x)
	GOBJ = Type('G' | 'O'<<8 | 'B'<<16 | 'J'<<24)
	GOOD = Type('G' | 'O'<<8 | 'O'<<16 | 'D'<<24)
	GRND = Type('G' | 'R'<<8 | 'N'<<16 | 'D'<<24)
	MENU = Type('M' | 'E'<<8 | 'N'<<16 | 'U'<<24)
	MISC = Type('M' | 'I'<<8 | 'S'<<16 | 'C'<<24)
	PASS = Type('P' | 'A'<<8 | 'S'<<16 | 'S'<<24)
	PIER = Type('P' | 'I'<<8 | 'E'<<16 | 'R'<<24) // (x)
	SIGN = Type('S' | 'I'<<8 | 'G'<<16 | 'N'<<24)
	SMOK = Type('S' | 'M'<<8 | 'O'<<16 | 'K'<<24)
	SOUN = Type('S' | 'O'<<8 | 'U'<<16 | 'N'<<24)
	SYMB = Type('S' | 'Y'<<8 | 'M'<<16 | 'B'<<24)
	TILE = Type('T' | 'I'<<8 | 'L'<<16 | 'E'<<24) // one tile of a building
	TREE = Type('T' | 'R'<<8 | 'E'<<16 | 'E'<<24)
	TUNL = Type('T' | 'U'<<8 | 'N'<<16 | 'L'<<24)
	VHCL = Type('V' | 'H'<<8 | 'C'<<16 | 'L'<<24)
	WAY  = Type('W' | 'A'<<8 | 'Y'<<16)
	WYOB = Type('W' | 'Y'<<8 | 'O'<<16 | 'B'<<24)
)

// word is the name of a type.
type word struct {
	text     string
	isObject bool // the type can occur directly below ROOT
}

// Names of the types. Package object declares each with its type.
var (
	words   = map[Type]word{}
	objects = map[string]Type{} // by the value of obj=
)

// Declare sets the name of a type: the obj= of a source if it is an object, otherwise the
// name in makeobj's dump. It must be called during package initialisation.
func Declare(t Type, text string, isObject bool) {
	words[t] = word{text, isObject}
	if isObject {
		objects[text] = t
	}
}

// TypeOf is the type with up to four letters.
func TypeOf(letters string) (t Type) {
	for i := range len(letters) {
		t |= Type(letters[i]) << (8 * i)
	}
	return t
}

// Obj returns the obj= name of a type that is an object, otherwise "".
func (t Type) Obj() string {
	if w := words[t]; w.isObject {
		return w.text
	}
	return ""
}

// ObjType returns the type of an obj= name; ok is false if none exists.
func ObjType(obj string) (t Type, ok bool) {
	t, ok = objects[obj]
	return t, ok
}

// Name returns a name for the type: its obj= name, makeobj's name for a part of an
// object, or the four letters.
func (t Type) Name() string {
	if w, ok := words[t]; ok {
		return w.text
	}
	return t.String()
}

// String returns the letters without padding, or the word in hexadecimal if it is not
// printable.
func (t Type) String() string {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(t))
	s := strings.TrimRight(string(b[:]), "\x00")
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("0x%08x", uint32(t))
		}
	}
	if s == "" {
		return "0x00000000"
	}
	return s
}

func typeOf(b []byte) Type { return Type(binary.LittleEndian.Uint32(b)) }

func appendType(b []byte, t Type) []byte {
	return binary.LittleEndian.AppendUint32(b, uint32(t))
}
