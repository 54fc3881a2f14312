package engine

import (
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Judgement is the explanation for bytes that could not be decoded.
type Judgement int

const (
	// Unknown bytes have a layout that no sheet describes, or that no real file has proved.
	Unknown Judgement = iota
	// Newer bytes belong to a version that is higher than all known ones.
	Newer
	// Damaged bytes have a layout that real files have proved, and do not fit it.
	Damaged
)

// Judge classifies an opaque region, with the reason.
//
// Real files decide what damage is: only chunks and versions that stand in real files of
// the tests count as known. A game reads a chunk with a size no further than it needs, so
// bytes that are left at its end are not damage.
func Judge(o gbx.OpaqueRegion) (Judgement, *fault.Error) { return judge(region{o}) }

type region struct{ gbx.OpaqueRegion }

func judge(o region) (Judgement, *fault.Error) {
	switch {
	case !knownEngine(o.Chunk) && o.Chunk != 0:
		return Damaged, o.fault(fault.Corrupt, "chunk %v is impossible: no game has an engine %02X", o.Chunk, o.Chunk.Engine())
	case !knownEngine(o.Class) && o.Class != 0:
		return Damaged, o.fault(fault.Corrupt, "class %v is impossible: no game has an engine %02X", o.Class, o.Class.Engine())
	case o.Misfit == nil || o.Misfit.Err == nil:
		return Unknown, o.fault(fault.Unsupported, "chunk %v: %d bytes are not understood: %s", o.Chunk, o.Bytes, o.Reason)
	}
	err := o.Misfit.Err
	unknown := o.fault(fault.Unsupported, "chunk %v: %d bytes are not understood: %s", o.Chunk, o.Bytes, o.Reason)
	switch kind := err.Kind; {
	case kind.Class() == fault.Unsupported || kind.Class() == fault.Limit:
		return Unknown, unknown
	case o.Misfit.At == gbx.InFrame: // no sheet is needed to see it
		return Damaged, o.fault(kind, "chunk %v of %s does not fit: %s", o.Chunk, Registry().ClassName(o.Class), err.Message)
	case o.Misfit.At == gbx.BehindLayout || o.Misfit.Body == nil:
		return Unknown, unknown
	}
	content := reflect.ValueOf(o.Misfit.Body)
	if _, ok := seen()[typeName(content)]; !ok {
		return Unknown, unknown
	}
	for _, v := range versionsIn(content, nil) {
		known := seen()[v.of]
		switch {
		case v.number == 0 || slices.Contains(known, v.number):
		case v.number > maxVersion:
			return Damaged, o.fault(fault.Corrupt, "chunk %v of %s states the impossible version %d", o.Chunk, Registry().ClassName(o.Class), v.number)
		case len(known) == 0 || v.number > slices.Max(known):
			return Newer, o.fault(fault.UnsupportedVersion, "chunk %v: version %d is newer than known: %d bytes are not understood: %s", o.Chunk, v.number, o.Bytes, o.Reason)
		default:
			return Unknown, unknown
		}
	}
	return Damaged, o.fault(err.Kind, "chunk %v of %s does not fit its layout: %s", o.Chunk, Registry().ClassName(o.Class), err.Message)
}

// maxVersion is above the versions that any game could have counted up to.
const maxVersion = 1<<16 - 1

func (o region) fault(kind fault.Kind, format string, args ...any) *fault.Error {
	offset := o.Offset
	if o.Misfit != nil && o.Misfit.Err != nil && o.Misfit.Err.Offset != fault.NoOffset {
		offset = o.Misfit.Err.Offset
	}
	return fault.At(kind, offset, "", format, args...)
}

// knownEngine reports whether a game has the engine of an ID, under an old or new number.
func knownEngine(id classid.ID) bool {
	return classid.EngineName(id.Engine()) != fmt.Sprintf("%02X", id.Engine())
}

// typeName returns the name of a struct as seen.txt has it.
func typeName(v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.Type().String()
}

//go:embed seen.txt
var seenText string

// seen returns the structs that stand in real files, each with the versions that it has
// there. TestWhatWasSeen writes them.
var seen = sync.OnceValue(func() map[string][]uint64 {
	types := map[string][]uint64{}
	for line := range strings.Lines(seenText) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		versions := make([]uint64, len(words)-1)
		for i, word := range words[1:] {
			versions[i], _ = strconv.ParseUint(word, 10, 64)
		}
		types[words[0]] = versions
	}
	return types
})

// version is the version that a struct states.
type version struct {
	of     string
	number uint64
}

// mostVersions limits how many structs are searched.
const mostVersions = 10000

var refType, nodeType = reflect.TypeFor[gbx.Ref](), reflect.TypeFor[gbx.Node]()

// versionsIn adds the versions of a value and of the structs in it. Nodes have been read,
// or have their own opaque regions.
func versionsIn(v reflect.Value, list []version) []version {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return list
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k != reflect.Struct && k != reflect.Pointer {
			return list
		}
		for i := range v.Len() {
			if len(list) >= mostVersions {
				break
			}
			list = versionsIn(v.Index(i), list)
		}
	case reflect.Struct:
		if v.Type() == refType || v.Type() == nodeType {
			return list
		}
		if n, ok := number(v.FieldByName("Version")); ok {
			list = append(list, version{v.Type().String(), n})
		}
		for i := range v.NumField() {
			switch v.Field(i).Kind() {
			case reflect.Struct, reflect.Slice, reflect.Pointer:
				list = versionsIn(v.Field(i), list)
			}
		}
	}
	return list
}

func number(v reflect.Value) (uint64, bool) {
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanUint():
		return v.Uint(), true
	case v.CanInt():
		return uint64(uint32(v.Int())), true
	}
	return 0, false
}
