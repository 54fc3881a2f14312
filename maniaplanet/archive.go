package maniaplanet

import (
	"context"
	"io"

	"pakbox/archive"
	"pakbox/fault"
)

// Archive shows the drives as one archive: a folder each, with the files that
// are in effect. Closing the game ends it.
func (g *Game) Archive() archive.Archive {
	var files []*File
	var entries []archive.Entry
	for _, name := range DriveNames {
		for _, f := range g.drives[name].Files() {
			files = append(files, f)
			entries = append(entries, archive.Entry{Name: string(name) + "/" + f.Path, Size: f.Size, StoredSize: f.Size, Offset: fault.NoOffset, Method: f.Origin.Format})
		}
	}
	return merged{archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) { return files[i].Open() })}
}

// merged is the drives as an archive.
type merged struct{ *archive.Tree }

func (merged) Format() string { return "maniaplanet" }

// Verify checks nothing: the checksums are in the archives that the files come from.
func (merged) Verify(context.Context, archive.Options) (*archive.Report, error) {
	return nil, fault.New(fault.Unsupported, "the drives of a game are checked archive by archive")
}
