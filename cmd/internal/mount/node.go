package mount

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/draft"
	"pakbox/cmd/internal/source"
)

// node is a place in the tree: a file or folder of an archive, or a text with values. It
// keeps its volume open.
type node struct {
	vol   *volume
	name  string // in the volume; "." for all of it
	whole bool   // the archive as a file, although it is shown as a folder
	value string // path of a text below the folder of values; "." for that folder, "" for other nodes
}

func (n *node) release() { n.vol.tree.release(n.vol) }

// path returns the node's path, in the form that commands take.
func (n *node) path() string { return n.vol.path(n.name) }

// at returns another node of the same volume. The new node keeps the volume open too.
func (n *node) at(to node) *node {
	n.vol.tree.mu.Lock()
	n.vol.refs++
	n.vol.tree.mu.Unlock()
	to.vol = n.vol
	return &to
}

// child returns the node with this name in a folder.
func (n *node) child(name string) (*node, error) {
	if n.value != "" {
		value := path.Join(n.value, name)
		if _, err := n.vol.value(value); err != nil {
			return nil, err
		}
		return n.at(node{name: n.name, value: value}), nil
	}
	full := path.Join(n.name, name)
	info, err := n.vol.stat(full)
	switch {
	case err == nil && !info.IsDir() && n.vol.isFolder(full, info):
		return n.enter(full)
	case err == nil:
		return n.at(node{name: full}), nil
	case n.name == "." && name == valuesFolder && n.vol.hasValues():
		return n.at(node{name: ".", value: "."}), nil
	}
	// The name may mean the other form of a file, see otherFace.
	file, ok := strings.CutSuffix(full, otherFace)
	if !ok {
		return nil, fs.ErrNotExist
	}
	info, err = n.vol.stat(file)
	switch {
	case err != nil || info.IsDir():
		return nil, fs.ErrNotExist
	case n.vol.isFolder(file, info):
		return n.at(node{name: file, whole: true}), nil
	}
	in, err := n.enter(file)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	return in, nil
}

func (n *node) enter(name string) (*node, error) {
	in, err := n.vol.enter(name)
	if err != nil {
		return nil, err
	}
	return &node{vol: in, name: "."}, nil
}

// stat describes a file of the volume.
func (v *volume) stat(name string) (draft.Info, error) {
	info, err := v.draft.Stat(name)
	if err != nil {
		return draft.Info{}, fs.ErrNotExist
	}
	return info.(draft.Info), nil
}

// The ID of a file is made of the volume's ID and its own, with one bit for an archive as
// a folder, because the archive also exists as a file.
const (
	idBits     = 36
	folderMark = 1 << (idBits - 2)
)

// info describes the node.
func (n *node) info() (Info, error) {
	if n.value != "" {
		return n.vol.value(n.value)
	}
	if outer := n.vol.outer; outer != nil && n.name == "." {
		info, err := outer.stat(n.vol.at)
		if err != nil {
			return Info{}, err
		}
		return outer.describe(info).asFolder(), nil
	}
	info, err := n.vol.stat(n.name)
	if err != nil {
		return Info{}, err
	}
	return n.vol.describe(info), nil
}

// closedToOthers reports whether the disk keeps other users out: of the archive, for its
// root, without which they reach nothing in it; in a folder also of single files.
func (n *node) closedToOthers() bool {
	v, name := n.vol, n.name
	if name == "." && v.outer != nil {
		v, name = v.outer, v.at
	}
	s := v.source()
	if s == nil {
		return false
	}
	if name != "." && !v.onDisk {
		return false
	}
	file := source.EditedFile(s.Place)
	if v.onDisk {
		if info, err := v.stat(name); err == nil && info.Entry >= 0 {
			name = v.a.Entries()[info.Entry].Name // it may have another name by now
		}
		file = filepath.Join(file, filepath.FromSlash(s.InArchive(name)))
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode()&0o004 == 0
}

// asFolder describes an archive as a folder.
func (i Info) asFolder() Info {
	i.dir, i.size = true, 0
	i.ID |= folderMark
	return i
}

func (v *volume) describe(info draft.Info) Info {
	i := Info{name: info.Name(), dir: info.IsDir(), size: info.Size(), mod: info.ModTime(), ID: v.id<<idBits | info.ID}
	if i.mod.IsZero() {
		i.mod = v.tree.mod
	}
	if i.dir {
		i.size = 0
	}
	return i
}

// list lists a folder.
func (n *node) list() ([]Info, error) {
	if n.value != "" {
		return n.vol.listValues(n.value)
	}
	entries, err := n.vol.draft.List(n.name)
	if err != nil {
		return nil, err
	}
	list := make([]Info, 0, len(entries)+1)
	for _, e := range entries {
		i := n.vol.describe(e)
		if !i.dir && n.vol.tree.looksLikeArchive(i.name) && n.vol.isFolder(path.Join(n.name, i.name), e) {
			i = i.asFolder()
		}
		list = append(list, i)
	}
	if n.name == "." && n.vol.hasValues() {
		if _, err := n.vol.stat(valuesFolder); err != nil {
			list = append(list, n.vol.valuesInfo())
		}
	}
	return list, nil
}

// valuesFolder is the folder with the texts of a document's values.
const valuesFolder = "values"

// part is a text with values.
type part struct {
	write func(w io.Writer) error
	name  string // path below the folder of values
	size  int64  // -1 until the text was made once
}

// hasValues reports whether the volume is a document that shows its values.
func (v *volume) hasValues() bool {
	_, ok := v.a.(archive.Parted)
	return ok
}

func (v *volume) valuesInfo() Info {
	return Info{name: valuesFolder, dir: true, mod: v.tree.mod, ID: v.id<<idBits | 1<<(idBits-1)}
}

// texts lists the texts of the volume's values.
func (v *volume) texts() ([]part, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.parts != nil {
		return v.parts, nil
	}
	paths, write, err := v.a.(archive.Parted).Parts()
	if err != nil {
		return nil, err
	}
	v.parts = make([]part, len(paths))
	for i, path := range paths {
		text := func(w io.Writer) error { return write(w, i) }
		v.parts[i] = part{text, strings.ReplaceAll(path, ".", "/") + ".txt", -1}
	}
	return v.parts, nil
}

// value describes a text or a folder of texts.
func (v *volume) value(name string) (Info, error) {
	parts, err := v.texts()
	if err != nil || name == "." {
		return v.valuesInfo(), err
	}
	for i, p := range parts {
		if p.name == name {
			return v.textInfo(i)
		}
		if strings.HasPrefix(p.name, name+"/") {
			return v.textFolder(i, name), nil
		}
	}
	return Info{}, fs.ErrNotExist
}

func (v *volume) textFolder(i int, name string) Info {
	info := v.valuesInfo()
	info.name = path.Base(name)
	info.ID += uint64(2*i+1) | uint64(strings.Count(name, "/"))<<24
	return info
}

func (v *volume) textInfo(i int) (Info, error) {
	p := &v.parts[i]
	v.mu.Lock()
	size := p.size
	v.mu.Unlock()
	if size < 0 {
		var err error
		if size, err = p.measure(); err != nil {
			return Info{}, err
		}
		v.mu.Lock()
		p.size = size
		v.mu.Unlock()
	}
	info := v.valuesInfo()
	return Info{name: path.Base(p.name), size: size, mod: v.tree.mod, ID: info.ID + uint64(2*i+2)}, nil
}

// text returns the values of a part, in the form of dump.
func (p *part) text() ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(max(p.size, 0)))
	err := p.write(&b)
	return b.Bytes(), err
}

// measure returns the length of the text. The text is not kept, because few programs that
// list files also read them.
func (p *part) measure() (int64, error) {
	var n length
	err := p.write(&n)
	return int64(n), err
}

// length is a writer that only counts bytes.
type length int64

func (n *length) Write(p []byte) (int, error) {
	*n += length(len(p))
	return len(p), nil
}

// listValues lists a folder of texts.
func (v *volume) listValues(name string) ([]Info, error) {
	parts, err := v.texts()
	if err != nil {
		return nil, err
	}
	var list []Info
	seen := map[string]bool{}
	for i, p := range parts {
		below := p.name
		if name != "." {
			var ok bool
			if below, ok = strings.CutPrefix(p.name, name+"/"); !ok {
				continue
			}
		}
		first, _, deeper := strings.Cut(below, "/")
		if seen[first] {
			continue
		}
		seen[first] = true
		info := v.textFolder(i, path.Join(name, first))
		if !deeper {
			if info, err = v.textInfo(i); err != nil {
				return nil, err
			}
		}
		list = append(list, info)
	}
	return list, nil
}
