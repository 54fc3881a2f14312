package drives

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"pakbox/archive"
)

// DriveName is the name of a drive.
type DriveName string

// The drives of the game.
const (
	Resource    DriveName = "Resource"    // the content of Packs/Resource.pak
	Personal    DriveName = "Personal"    // the user's maps and settings
	ManiaPlanet DriveName = "ManiaPlanet" // the game's own folder
	Common      DriveName = "Common"      // files that all users of the machine share
	Temp        DriveName = "Temp"
)

// DriveNames lists the drives in the order in which they are searched for a path without
// a drive.
var DriveNames = []DriveName{ManiaPlanet, Personal, Common, Temp, Resource}

// Origin states where a file comes from.
type Origin struct {
	Format string // "folder", or the format of the archive
	Path   string // path of the folder or archive in the file system
}

// File is one file of a drive.
type File struct {
	Drive  DriveName
	Path   string // path on the drive, with slashes, in its stored letter case
	Size   int64
	Origin Origin

	disk  string          // path of the file, if it is on disk
	from  archive.Archive // otherwise the archive that holds the file
	index int             // number of the file in that archive
}

// Open opens the file's content.
func (f *File) Open() (fs.File, error) {
	if f.from == nil {
		return os.Open(f.disk)
	}
	return f.from.OpenEntry(f.index)
}

// String names the file with its drive.
func (f *File) String() string { return string(f.Drive) + ":" + f.Path }

// Drive is one merged tree. It is an [fs.FS] of the files in effect.
type Drive struct {
	*archive.Tree
	Name  DriveName
	files map[string][]*File // from a lower-case path to all its files, the one in effect first
	order []*File            // the files in effect, sorted by path
	index []*File            // on the Resource drive: the files by their number in the pack
}

func newDrive(name DriveName) *Drive { return &Drive{Name: name, files: map[string][]*File{}} }

// add adds a file. Files added earlier take precedence.
func (d *Drive) add(f *File) {
	key := strings.ToLower(f.Path)
	d.files[key] = append(d.files[key], f)
}

// finish builds the tree when all files are added.
func (d *Drive) finish() {
	for _, candidates := range d.files {
		d.order = append(d.order, candidates[0])
	}
	slices.SortFunc(d.order, func(a, b *File) int {
		return strings.Compare(strings.ToLower(a.Path), strings.ToLower(b.Path))
	})
	entries := make([]archive.Entry, len(d.order))
	for i, f := range d.order {
		entries[i] = archive.Entry{Name: f.Path, Size: f.Size, StoredSize: f.Size, Offset: -1, Method: f.Origin.Format}
	}
	d.Tree = archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) { return d.order[i].Open() })
}

// Files lists the files in effect, sorted.
func (d *Drive) Files() []*File { return d.order }

// Lookup finds the file in effect at a path, without regard to case.
func (d *Drive) Lookup(name string) (*File, bool) {
	if all := d.All(name); len(all) > 0 {
		return all[0], true
	}
	return nil, false
}

// All finds every file at a path, the one in effect first.
func (d *Drive) All(name string) []*File {
	return d.files[strings.ToLower(path.Clean(strings.ReplaceAll(name, `\`, "/")))]
}
