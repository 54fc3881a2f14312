package pak

import (
	"fmt"
	"strings"

	"pakbox/fault"
)

// FileFlags are an entry's flags.
type FileFlags uint64

const (
	IsHashed          FileFlags = 1 << 0 // the name is a hash of the real name
	PublishFid        FileFlags = 1 << 1
	compressionMask   FileFlags = 0xf << 2 // not zero: compressed
	compressed        FileFlags = 1 << 2   // the only value in known packs
	IsSeekable        FileFlags = 1 << 6
	DontUseDummyWrite FileFlags = 1 << 32 // nodes do not change the cipher
	opaqueUserData    FileFlags = 0xffff << 33
	PublicFile        FileFlags = 1 << 49
	ForceNoCrypt      FileFlags = 1 << 50
)

// Compressed reports whether the stored data is compressed.
func (f *File) Compressed() bool {
	if f.old { // before version 6 this bit belongs to the compression
		return f.Flags&(compressionMask|IsSeekable) != 0
	}
	return f.Flags&compressionMask != 0
}

func (f *File) flagNames() []string {
	if f.old && f.Flags&IsSeekable != 0 {
		return append((f.Flags &^ IsSeekable).Names(), "Compression(16)")
	}
	return f.Flags.Names()
}

// Encrypted reports whether the stored data is encrypted.
func (f FileFlags) Encrypted() bool { return f&(PublicFile|ForceNoCrypt) == 0 }

// Names lists the flags that are set. A bit without a known name is listed by its number.
func (f FileFlags) Names() []string {
	var names []string
	for bit := 0; bit < 64; {
		set := f>>bit&1 != 0
		switch {
		case bit == 2:
			if n := f & compressionMask >> 2; n != 0 {
				names = append(names, fmt.Sprintf("Compression(%d)", n))
			}
			bit = 6
			continue
		case bit == 33:
			if n := f & opaqueUserData >> 33; n != 0 {
				names = append(names, fmt.Sprintf("OpaqueUserData(%d)", n))
			}
			bit = 49
			continue
		case set && flagNames[bit] != "":
			names = append(names, flagNames[bit])
		case set:
			names = append(names, fmt.Sprintf("bit%d", bit))
		}
		bit++
	}
	return names
}

var flagNames = map[int]string{
	0: "IsHashed", 1: "PublishFid", 6: "IsSeekable", 32: "DontUseDummyWrite", 49: "PublicFile", 50: "ForceNoCrypt",
}

// noMetadata is the MetaOffset of an entry without a metadata record.
const noMetadata = 0xffffffff

// Folder is one row of the folder table. Names usually end in a backslash.
type Folder struct {
	Parent int32 // index of the parent in the table; -1 for a folder at the top
	Name   string
}

// File is one row of the file table.
type File struct {
	Folder           int32 // index into the folder table; -1 for a file at the top
	Name             string
	MetaOffset       uint32 // offset of its record in the metadata section; 0xFFFFFFFF if none
	UncompressedSize uint32
	CompressedSize   uint32
	Offset           uint32 // relative to the beginning of the data
	ClassID          uint32
	Size             uint32   // version 17 and later: length of the slot
	Checksum         [16]byte // version 14 and later: MD5 of the slot
	Flags            FileFlags

	old bool // from a pack before version 6
}

// StoredSize is the length of the data as stored, before padding.
func (f *File) StoredSize() int64 {
	if f.Compressed() {
		return int64(f.CompressedSize)
	}
	return int64(f.UncompressedSize)
}

// Directory is the private header.
type Directory struct {
	HeaderMD5           [16]byte
	GbxHeadersStart     uint32 // offset in the file; 0 without a metadata section
	DataStart           uint32 // before version 15: offset in the file
	GbxHeadersSize      uint32 // uncompressed length
	GbxHeadersComprSize uint32
	GbxHeadersMD5       [16]byte // version 14 and later
	FileSize            uint32   // version 16 and later
	Unused              [16]byte
	Author              AuthorInfo // version 6 only
	Flags               uint32
	Folders             []Folder
	Files               []File
}

// code reads or writes the directory of a pack of version v. folders is called when the
// folder table is complete, because then it changes the cipher.
func (d *Directory) code(c *coder, v uint32, folders func()) {
	c.raw(d.HeaderMD5[:], "headerMD5")
	c.u32(&d.GbxHeadersStart, "gbxHeadersStart")
	if v < 15 {
		c.u32(&d.DataStart, "dataStart")
	}
	if v >= 2 {
		c.u32(&d.GbxHeadersSize, "gbxHeadersSize")
		c.u32(&d.GbxHeadersComprSize, "gbxHeadersComprSize")
	}
	if v >= 14 {
		c.raw(d.GbxHeadersMD5[:], "gbxHeadersMD5")
	}
	if v >= 16 {
		c.u32(&d.FileSize, "fileSize")
	}
	if v >= 3 {
		c.raw(d.Unused[:], "unused")
	}
	if v == 6 {
		d.Author.code(c)
	}
	c.u32(&d.Flags, "flags")
	list(c, &d.Folders, 8, "numFolders", func(f *Folder) {
		c.i32(&f.Parent, "folder.parent")
		c.str(&f.Name, "folder.name")
	})
	folders()
	list(c, &d.Files, 36, "numFiles", func(f *File) { f.code(c, v) })
}

func (f *File) code(c *coder, v uint32) {
	f.old = v < 6
	c.i32(&f.Folder, "file.folder")
	c.str(&f.Name, "file.name")
	c.u32(&f.MetaOffset, "file.metaOffset")
	c.u32(&f.UncompressedSize, "file.uncompressedSize")
	c.u32(&f.CompressedSize, "file.compressedSize")
	c.u32(&f.Offset, "file.offset")
	c.u32(&f.ClassID, "file.classID")
	if v >= 17 {
		c.u32(&f.Size, "file.size")
	}
	if v >= 14 {
		c.raw(f.Checksum[:], "file.checksum")
	}
	c.u64((*uint64)(&f.Flags), "file.flags")
}

// Limits on paths, so that nested folders with long names cannot claim too much memory.
const (
	maxPathLen  = 4096
	maxAllPaths = 64 << 20
)

// folderPaths returns the path of every folder, with a slash at its end. A folder without
// a name has the path of its parent.
func folderPaths(folders []Folder) ([]string, error) {
	paths := make([]string, len(folders))
	const unknown, busy, done = 0, 1, 2
	state := make([]uint8, len(folders))
	var pending []int32
	total := 0
	for i := range folders {
		for at := int32(i); at != -1 && state[at] != done; at = folders[at].Parent {
			if state[at] == busy {
				return nil, fault.New(fault.TableCorrupt, "folder %d is its own ancestor", at)
			}
			if p := folders[at].Parent; p < -1 || int(p) >= len(folders) {
				return nil, fault.New(fault.TableCorrupt, "folder %d has the parent %d of %d folders", at, p, len(folders))
			}
			state[at] = busy
			pending = append(pending, at)
		}
		for ; len(pending) > 0; pending = pending[:len(pending)-1] {
			at := pending[len(pending)-1]
			prefix := ""
			if p := folders[at].Parent; p >= 0 {
				prefix = paths[p]
			}
			paths[at] = prefix
			if name := strings.TrimSuffix(slashed(folders[at].Name), "/"); name != "" {
				paths[at] += name + "/"
			}
			if len(paths[at]) > maxPathLen {
				return nil, fault.New(fault.Limit, "the path of folder %d is longer than %d bytes", at, maxPathLen)
			}
			if total += len(paths[at]); total > maxAllPaths {
				return nil, fault.New(fault.Limit, "the paths of all folders are longer than %d bytes", maxAllPaths)
			}
			state[at] = done
		}
	}
	return paths, nil
}

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }
