package drives

import (
	"context"
	"io"

	"pakbox/archive"
	"pakbox/fault"
)

// Archive shows the drives as one archive, with a folder for each drive and only the
// files in effect. It is valid until the game is closed.
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

// merged is an archive of all drives.
type merged struct{ *archive.Tree }

func (merged) Format() string { return "maniaplanet" }

// Verify checks nothing: the checksums are in the archives that hold the files.
func (merged) Verify(context.Context, archive.Options) (*archive.Report, error) {
	return nil, fault.New(fault.Unsupported, "the drives of a game are checked archive by archive")
}
