package gbx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"pakbox/internal/lib/racetime"
)

// Bool is a boolean as a 32-bit word, usually 0 or 1. Other numbers are kept.
type Bool uint32

// The words that the games write.
const (
	False Bool = 0
	True  Bool = 1
)

// True reports whether the word means true: it is not 0.
func (b Bool) True() bool { return b != False }

// String returns "true", "false", or a number that is neither 0 nor 1.
func (b Bool) String() string {
	switch b {
	case False:
		return "false"
	case True:
		return "true"
	}
	return strconv.FormatUint(uint64(b), 10)
}

// Vectors, matrices and boxes of the engine. Their fields are in file order.
type (
	Vec2  struct{ X, Y float32 }
	Vec3  struct{ X, Y, Z float32 }
	Vec4  struct{ X, Y, Z, W float32 }
	Quat  struct{ W, X, Y, Z float32 }
	Color struct{ R, G, B float32 }
	Int2  struct{ X, Y int32 }
	Int3  struct{ X, Y, Z int32 }
	Int4  struct{ X, Y, Z, W int32 }
	Byte3 struct{ X, Y, Z uint8 }
	// Mat3 is a rotation: three axes.
	Mat3 struct{ X, Y, Z Vec3 }
	// Iso4 is a rotation and a translation.
	Iso4 struct {
		Mat3
		T Vec3
	}
	// Box is an axis-aligned box. The chunk defines the meaning of the corners.
	Box struct{ Min, Max Vec3 }
	// TransQuat is a translation and a rotation.
	TransQuat struct {
		T Vec3
		Q Quat
	}
)

// Hash128 and Hash256 are checksums: bytes in the order of the file.
type (
	Hash128 [16]byte
	Hash256 [32]byte
)

// Time is a time in milliseconds; -1 stands for no time.
type Time int32

// NoTime is the time of a run that nobody has driven.
const NoTime Time = -1

// String returns a time as text for people: 0:36.217, or 1:02:03.400 with hours.
func (t Time) String() string {
	if t == NoTime {
		return "none"
	}
	return racetime.Text(int64(t))
}

// ParseTime reads a time as 36.217, 0:36.21 or 1:02:03.4, or in milliseconds as
// 36217 or 36217ms. "none" and "-" give NoTime.
func ParseTime(s string) (Time, bool) {
	if s == "none" || s == "-" {
		return NoTime, true
	}
	ms, ok := racetime.Parse(s)
	return Time(ms), ok
}

// TimeDoubt returns a warning about a number without a unit that is an unlikely time in
// milliseconds; otherwise "". A user who writes 55 probably means seconds.
func TimeDoubt(s string) string {
	const aDay = 24 * 60 * 60 * 1000
	ms, err := strconv.ParseUint(s, 10, 31)
	switch t := Time(ms); {
	case err != nil || ms == 0:
		return ""
	case ms < 1000:
		return fmt.Sprintf("%s is %s, because numbers are milliseconds: write %sms if that is meant, or %s", s, t, s, t*1000)
	case ms >= aDay:
		return fmt.Sprintf("%s is %s, because numbers are milliseconds: write it so if that is meant", s, t)
	}
	return ""
}

// Ident identifies an object by name, collection and author. The specification calls it
// meta.
type Ident struct{ ID, Collection, Author ID }

// FileRef is the path of another file, such as a skin, and its URL. The engine calls it a
// pack description.
type FileRef struct {
	Version  uint8
	Checksum Hash256 // version 3 and later
	Path     string
	Locator  string // the URL; version and path determine whether it is stored
}

// atOnce returns the next n bytes if the fast path is allowed, otherwise nil.
func (x *Coder) atOnce(n int) []byte {
	i := x.pos
	if i+n > len(x.in) {
		return nil
	}
	x.pos = i + n
	return x.in[i : i+n]
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))
}

func intAt(b []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(b[i:])) }

// codeParts reads or writes the components of a vector. names has one letter for each.
func codeParts[T any](x *Coder, name string, p any, code func(*T, string), names string, parts ...*T) {
	x.begin(name, p)
	for i, part := range parts {
		code(part, names[i:i+1])
	}
	x.end()
}

// Vec2 reads or writes two floats.
func (x *Coder) Vec2(p *Vec2, name string) {
	if b := x.atOnce(8); b != nil {
		*p = Vec2{floatAt(b, 0), floatAt(b, 4)}
		return
	}
	codeParts(x, name, p, x.F32, "xy", &p.X, &p.Y)
}

// Vec3 reads or writes three floats.
func (x *Coder) Vec3(p *Vec3, name string) {
	if b := x.atOnce(12); b != nil {
		*p = Vec3{floatAt(b, 0), floatAt(b, 4), floatAt(b, 8)}
		return
	}
	codeParts(x, name, p, x.F32, "xyz", &p.X, &p.Y, &p.Z)
}

// Vec4 reads or writes four floats.
func (x *Coder) Vec4(p *Vec4, name string) {
	if b := x.atOnce(16); b != nil {
		*p = Vec4{floatAt(b, 0), floatAt(b, 4), floatAt(b, 8), floatAt(b, 12)}
		return
	}
	codeParts(x, name, p, x.F32, "xyzw", &p.X, &p.Y, &p.Z, &p.W)
}

// Quat reads or writes a quaternion, real part first.
func (x *Coder) Quat(p *Quat, name string) {
	if b := x.atOnce(16); b != nil {
		*p = Quat{floatAt(b, 0), floatAt(b, 4), floatAt(b, 8), floatAt(b, 12)}
		return
	}
	codeParts(x, name, p, x.F32, "wxyz", &p.W, &p.X, &p.Y, &p.Z)
}

// Color reads or writes three floats.
func (x *Coder) Color(p *Color, name string) {
	if b := x.atOnce(12); b != nil {
		*p = Color{floatAt(b, 0), floatAt(b, 4), floatAt(b, 8)}
		return
	}
	codeParts(x, name, p, x.F32, "rgb", &p.R, &p.G, &p.B)
}

// Int2 reads or writes two integers.
func (x *Coder) Int2(p *Int2, name string) {
	if b := x.atOnce(8); b != nil {
		*p = Int2{intAt(b, 0), intAt(b, 4)}
		return
	}
	codeParts(x, name, p, x.I32, "xy", &p.X, &p.Y)
}

// Int3 reads or writes three integers.
func (x *Coder) Int3(p *Int3, name string) {
	if b := x.atOnce(12); b != nil {
		*p = Int3{intAt(b, 0), intAt(b, 4), intAt(b, 8)}
		return
	}
	codeParts(x, name, p, x.I32, "xyz", &p.X, &p.Y, &p.Z)
}

// Int4 reads or writes four integers.
func (x *Coder) Int4(p *Int4, name string) {
	if b := x.atOnce(16); b != nil {
		*p = Int4{intAt(b, 0), intAt(b, 4), intAt(b, 8), intAt(b, 12)}
		return
	}
	codeParts(x, name, p, x.I32, "xyzw", &p.X, &p.Y, &p.Z, &p.W)
}

// Byte3 reads or writes three bytes.
func (x *Coder) Byte3(p *Byte3, name string) {
	if b := x.atOnce(3); b != nil {
		*p = Byte3{b[0], b[1], b[2]}
		return
	}
	if x.direct {
		x.out = append(x.out, p.X, p.Y, p.Z)
		return
	}
	codeParts(x, name, p, x.U8, "xyz", &p.X, &p.Y, &p.Z)
}

// Mat3 reads or writes a rotation matrix.
func (x *Coder) Mat3(p *Mat3, name string) {
	x.begin(name, p)
	x.axes(p)
	x.end()
}

func (x *Coder) axes(p *Mat3) {
	x.Vec3(&p.X, "x")
	x.Vec3(&p.Y, "y")
	x.Vec3(&p.Z, "z")
}

// Iso4 reads or writes a rotation matrix and a translation.
func (x *Coder) Iso4(p *Iso4, name string) {
	x.begin(name, p)
	x.axes(&p.Mat3)
	x.Vec3(&p.T, "t")
	x.end()
}

// Box reads or writes a box.
func (x *Coder) Box(p *Box, name string) {
	x.begin(name, p)
	x.Vec3(&p.Min, "min")
	x.Vec3(&p.Max, "max")
	x.end()
}

// TransQuat reads or writes a translation and a rotation.
func (x *Coder) TransQuat(p *TransQuat, name string) {
	x.begin(name, p)
	x.Vec3(&p.T, "t")
	x.Quat(&p.Q, "q")
	x.end()
}

// Ident reads or writes three IDs.
func (x *Coder) Ident(p *Ident, name string) {
	x.begin(name, p)
	x.ID(&p.ID, "id")
	x.ID(&p.Collection, "collection")
	x.ID(&p.Author, "author")
	x.end()
}

// FileRef reads or writes a FileRef. From version 3 on there is always a locator.
func (x *Coder) FileRef(p *FileRef, name string) {
	x.begin(name, p)
	x.U8(&p.Version, "version")
	if p.Version >= 3 {
		x.Hash256(&p.Checksum, "checksum")
	}
	x.String(&p.Path, "path")
	if p.Version >= 3 || p.Version >= 1 && p.Path != "" {
		x.String(&p.Locator, "locator")
	}
	x.end()
}
