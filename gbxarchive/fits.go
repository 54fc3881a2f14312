package gbxarchive

import (
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/gbx/classid"
	"pakbox/internal/lib/hint"
)

// Fits refuses a name whose ending belongs to another class: a ghost stays a
// ghost under the name x.Replay.Gbx.
func (Format) Fits(a archive.Archive, name string) error {
	in, ok := a.(*Archive)
	base := strings.TrimSuffix(strings.ToLower(name), ".gbx")
	ending := strings.TrimPrefix(path.Ext(base), ".") + ".gbx"
	if !ok || ending == ".gbx" || base == strings.ToLower(name) {
		return nil
	}
	own, _ := classid.Lookup(in.File().Header.Class)
	if own.Extension == "" || strings.EqualFold(own.Extension, ending) {
		return nil
	}
	for _, c := range classid.All() {
		if strings.EqualFold(c.Extension, ending) {
			return hint.Usagef("%s: the file is a %s, and %s is the ending of another class", name, own.Name, c.Extension).
				Hint("call it %s%s", name[:len(name)-len(ending)], own.Extension)
		}
	}
	return nil
}
