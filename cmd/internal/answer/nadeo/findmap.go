package nadeo

import (
	"context"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// mapParams say where to find the map of runs, because ghosts do not contain it.
type mapParams struct {
	Map string `json:"map" value:"PATH" doc:"the map of the runs: PATH is a map, a replay, a folder with maps, or an index"`
}

// find returns the map with a UID, nil if the parameters name no place. A named file is
// accepted whatever its UID; a folder or an index is searched.
func (p mapParams) find(ctx context.Context, at *question.At, uid string) (*maps.Map, error) {
	if p.Map == "" {
		return nil, nil
	}
	file, err := p.file(ctx, at.For(p.Map), uid)
	if err != nil {
		return nil, err
	}
	return OpenGBX(ctx, at.For(file), func(_ *source.Source, f *gbx.File) (*maps.Map, error) {
		if m := MapOf(f); m != nil {
			return m, nil
		}
		return nil, fault.New(fault.NotFormat, "the file neither is nor holds a map")
	})
}

// file returns the path of the file with the map.
func (p mapParams) file(ctx context.Context, at *question.At, uid string) (string, error) {
	files, err := at.FilesBelow(ctx, ".gbx")
	if err != nil {
		return "", err
	}
	switch indexed := files == nil && isDatabase(ctx, at); {
	case files == nil && !indexed:
		return p.Map, nil
	case uid == "":
		return "", fault.Usagef("the runs do not say on which map they were driven").Hint("name the map itself: --map FILE")
	case indexed:
		return at.MapPath(ctx, uid)
	}
	for _, file := range files {
		if uidOfMap(ctx, at.Opener, file) == uid {
			return file, nil
		}
	}
	return "", fault.InFile(fault.New(fault.Unsupported, "the folder has no map %s", uid), p.Map)
}

// isDatabase reports whether a path is an SQLite file. An index is one.
func isDatabase(ctx context.Context, at *question.At) bool {
	const magic = "SQLite format 3\x00"
	in, file, err := at.Input(ctx)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(magic))
	n, _ := in.ReadAt(head, 0)
	return string(head[:n]) == magic
}

// uidOfMap returns the UID of the map that a file is, or that a replay contains; "" for
// other files. It reads only the header.
func uidOfMap(ctx context.Context, o *source.Opener, path string) string {
	if strings.HasSuffix(strings.ToLower(path), ".ghost.gbx") {
		return "" // names its map, but does not hold it
	}
	in, file, err := o.Input(ctx, path)
	if err != nil {
		return ""
	}
	defer file.Close()
	h, err := gbx.ReadHeader(in, in.Size, engine.Registry())
	if err != nil {
		return ""
	}
	f := &gbx.File{Header: *h}
	if m, err := maps.Of(f); err == nil {
		return m.UID()
	}
	if r, err := runs.ReplayOf(f); err == nil {
		return r.MapIdent().ID.String()
	}
	return ""
}
