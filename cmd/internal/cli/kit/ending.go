package kit

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/fault"
)

// kind is a kind of content that is not an archive: how it begins, and its file
// extensions.
type kind struct {
	begins  string
	endings []string
}

var kinds = []kind{
	{"\x89PNG", []string{".png", ".apng"}},
	{"\xff\xd8\xff", []string{".jpg", ".jpeg"}},
	{"GIF8", []string{".gif"}},
	{"\x00\x00\x00\x20ftyp", []string{".mp4"}}, // after the size of the first part
	{"\x00\x00\x00\x1cftyp", []string{".mp4"}},
	{"\x1a\x45\xdf\xa3", []string{".webm"}},
	{"DDS ", []string{".dds"}},
	{"glTF", []string{".glb"}},
	{"PAR1", []string{".parquet"}},
	{"\x93NUMPY", []string{".npy"}},
}

// foreign are extensions of kinds that no command writes.
var foreign = []string{".webp", ".bmp", ".tga", ".pdf", ".avi", ".obj", ".fbx", ".gltf", ".xlsx", ".exe"}

// KeepsPromise refuses to write content to a file whose extension means another kind.
// This one rule holds for everything that pakbox writes. A name without an extension is
// allowed; text is also allowed with an unknown extension.
func (a *App) KeepsPromise(out string, data []byte) error {
	ext := strings.ToLower(filepath.Ext(out))
	if !isEnding(ext) {
		return nil
	}
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: filepath.Base(out)}
	own := a.endingsOf(in)
	switch {
	case own != nil && !slices.Contains(own, ext):
		return Promises(out, own...)
	case own == nil && a.isKnownEnding(ext):
		return fault.Usagef("%s: cannot be written as %s: the content is a text", out, strings.ToUpper(ext[1:])).
			Hint("call it %s.txt", strings.TrimSuffix(out, filepath.Ext(out)))
	}
	return a.fitsContent(out, in)
}

// fitsContent refuses an extension of the content's format that belongs to another kind
// of document, such as Replay.Gbx for a map.
func (a *App) fitsContent(out string, in archive.Input) error {
	ext := strings.ToLower(filepath.Ext(out))
	for _, f := range a.Formats {
		if fit, ok := f.(archive.DocumentFormat); ok && slices.Contains(f.Extensions(), ext) {
			return fit.FitsContent(in, out)
		}
	}
	return nil
}

// endingsOf lists the extensions that suit content, nil for text.
func (a *App) endingsOf(in archive.Input) []string {
	head := in.Prefix(4096)
	if isText(head) {
		return nil
	}
	for _, k := range kinds {
		if bytes.HasPrefix(head, []byte(k.begins)) {
			return k.endings
		}
	}
	if f, err := a.Formats.Detect(in); err == nil {
		return f.Extensions()
	}
	return nil
}

// isText reports whether bytes are text. The last character may be incomplete.
func isText(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return !bytes.Contains(head, []byte{0})
		}
	}
	return false
}

// isKnownEnding reports whether an extension belongs to content that is not text.
func (a *App) isKnownEnding(ext string) bool {
	if slices.Contains(foreign, ext) || slices.ContainsFunc(kinds, func(k kind) bool { return slices.Contains(k.endings, ext) }) {
		return true
	}
	return slices.ContainsFunc(a.Formats, func(f archive.Format) bool { return slices.Contains(f.Extensions(), ext) })
}
