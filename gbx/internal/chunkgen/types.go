package main

// primitive states how a type of the sheet language is declared and read in Go.
type primitive struct {
	goType string
	method string // method of gbx.Coder
	size   int    // smallest number of bytes in a binary file
}

var primitives = map[string]primitive{
	"bool":        {"gbx.Bool", "Bool", 4},
	"byte":        {"uint8", "U8", 1},
	"int8":        {"int8", "I8", 1},
	"uint16":      {"uint16", "U16", 2},
	"int16":       {"int16", "I16", 2},
	"uint32":      {"uint32", "U32", 4},
	"int32":       {"int32", "I32", 4},
	"uint64":      {"uint64", "U64", 8},
	"int64":       {"int64", "I64", 8},
	"float":       {"float32", "F32", 4},
	"time":        {"gbx.Time", "Time", 4},
	"string":      {"string", "String", 4},
	"smallstring": {"string", "SmallString", 1},
	"small":       {"uint32", "SmallLen", 1},
	"data":        {"[]byte", "Data", 4},
	"id":          {"gbx.ID", "ID", 4},
	"ident":       {"gbx.Ident", "Ident", 12},
	"fileref":     {"gbx.FileRef", "FileRef", 5},
	"classid":     {"classid.ID", "ClassID", 4},
	"hash128":     {"gbx.Hash128", "Hash128", 16},
	"hash256":     {"gbx.Hash256", "Hash256", 32},
	"vec2":        {"gbx.Vec2", "Vec2", 8},
	"vec3":        {"gbx.Vec3", "Vec3", 12},
	"vec4":        {"gbx.Vec4", "Vec4", 16},
	"quat":        {"gbx.Quat", "Quat", 16},
	"color":       {"gbx.Color", "Color", 12},
	"int2":        {"gbx.Int2", "Int2", 8},
	"int3":        {"gbx.Int3", "Int3", 12},
	"int4":        {"gbx.Int4", "Int4", 16},
	"byte3":       {"gbx.Byte3", "Byte3", 3},
	"mat3":        {"gbx.Mat3", "Mat3", 36},
	"iso4":        {"gbx.Iso4", "Iso4", 48},
	"box":         {"gbx.Box", "Box", 24},
	"transquat":   {"gbx.TransQuat", "TransQuat", 28},
	"node":        {"gbx.Ref", "Ref", 4},
	"meta":        {"gbx.Ref", "MetaRef", 4},
}

// numeric are the Go types that are allowed in expressions.
var numeric = map[string]bool{
	"int": true, "gbx.Bool": true, "uint8": true, "int8": true, "uint16": true, "int16": true,
	"uint32": true, "int32": true, "uint64": true, "int64": true, "gbx.Time": true, "classid.ID": true,
}
