package gbxarchive

import (
	"encoding/binary"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Fits refuses a name whose extension belongs to another class: a ghost named
// x.Replay.Gbx would still be a ghost.
func (Format) Fits(a archive.Archive, name string) error {
	if in, ok := a.(*Archive); ok {
		return fits(in.File().Header.Class, name)
	}
	return nil
}

// FitsContent is Fits for a file that is still to be written.
func (Format) FitsContent(in archive.Input, name string) error {
	const classAt = 9 // offset of the class: after "GBX", the version and four letters
	if head := in.Prefix(classAt + 4); len(head) == classAt+4 {
		return fits(classid.ID(binary.LittleEndian.Uint32(head[classAt:])), name)
	}
	return nil
}

func fits(class classid.ID, name string) error {
	base := strings.TrimSuffix(strings.ToLower(name), ".gbx")
	ending := strings.TrimPrefix(path.Ext(base), ".") + ".gbx"
	if ending == ".gbx" || base == strings.ToLower(name) {
		return nil
	}
	own, _ := classid.Lookup(class)
	if own.Extension == "" || strings.EqualFold(own.Extension, ending) {
		return nil
	}
	for _, c := range classid.All() {
		if strings.EqualFold(c.Extension, ending) {
			return fault.Usagef("%s: the file is a %s, and %s is the ending of another class", name, own.Name, c.Extension).
				Hint("call it %s%s", name[:len(name)-len(ending)], own.Extension)
		}
	}
	return nil
}
