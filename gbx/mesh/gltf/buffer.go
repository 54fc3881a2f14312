package gltf

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"net/url"
	"strings"

	"pakbox/fault"
)

// maxBeside limits the bytes in the files that a glTF file refers to.
const maxBeside = 1 << 30

// isJSON reports whether a file is the text form, .gltf.
func isJSON(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data[:min(len(data), 256)], " \t\r\n\ufeff"), []byte("{"))
}

const dataURI = "data:"

// inlined counts the bytes of base64 data in the JSON. They do not count as JSON, because
// no objects are made from them.
func inlined(text []byte) int {
	n := 0
	for {
		_, rest, found := bytes.Cut(text, []byte(`"`+dataURI))
		if !found {
			return n
		}
		value, after, found := bytes.Cut(rest, []byte(`"`))
		if !found {
			return n
		}
		n += len(value)
		text = after
	}
}

// buffers finds the bytes of all buffers. The first buffer of a binary file is a chunk of
// that file.
func (r *reader) buffers(bin []byte, beside fs.FS) error {
	total := int64(0)
	for i, b := range r.doc.Buffers {
		data := bin
		var err error
		switch {
		case b.URI != nil && strings.HasPrefix(*b.URI, dataURI):
			data, err = inline(*b.URI)
		case b.URI != nil:
			data, err = fetch(*b.URI, beside)
			total += int64(len(data))
		case i > 0:
			return fault.New(fault.Corrupt, "buffer %d of the glTF file has no data", i)
		}
		if err != nil {
			return err
		}
		if b.Length < 0 || b.Length > int64(len(data)) {
			return fault.New(fault.Corrupt, "a buffer of %d bytes in %d bytes of a glTF file", b.Length, len(data))
		}
		if total > maxBeside {
			return fault.New(fault.Limit, "more than %d bytes of data beside a glTF file", int64(maxBeside))
		}
		r.data = append(r.data, data[:b.Length])
		r.doc.Buffers[i].URI = nil
	}
	return nil
}

// inline decodes data that is contained in its URI.
func inline(uri string) ([]byte, error) {
	_, text, found := strings.Cut(uri, ";base64,")
	if !found {
		return nil, fault.New(fault.Unsupported, "data in a glTF file that is not in base64")
	}
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "data in a glTF file")
	}
	return out, nil
}

// fetch reads a file in the folder of the glTF file, or below it.
func fetch(uri string, beside fs.FS) ([]byte, error) {
	name, err := url.PathUnescape(uri)
	switch {
	case err != nil || !fs.ValidPath(name) || strings.ContainsAny(name, ":\\"):
		return nil, fault.New(fault.Unsafe, "the glTF file keeps its data at %q, outside of its folder", uri)
	case beside == nil:
		return nil, fault.New(fault.Unsupported, "the glTF file keeps its data in another file, %s; write it as one .glb file", name)
	}
	info, err := fs.Stat(beside, name)
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "data of the glTF file")
	}
	if !info.Mode().IsRegular() || info.Size() > maxBeside {
		return nil, fault.New(fault.Limit, "data of the glTF file in %s, which is not a file of less than %d bytes", name, int64(maxBeside))
	}
	data, err := fs.ReadFile(beside, name)
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "data of the glTF file")
	}
	return data, nil
}
