package gbx

import (
	"encoding/binary"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
)

// SetCompression sets how [File.Encode] stores the body. The original bytes are not used
// any more.
func (f *File) SetCompression(compressed bool, level lzo1x.Level) {
	f.BodyCompression = 'U'
	if compressed {
		f.BodyCompression = 'C'
	}
	f.level = level
	f.found = nil
}

func appendCompressed(out, body []byte, level lzo1x.Level) ([]byte, error) {
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
	out = binary.LittleEndian.AppendUint32(out, 0)
	at := len(out)
	out, err := lzo1x.AppendCompress(out, body, level)
	if err != nil {
		return nil, fault.Wrap(fault.Unsupported, err, "the body cannot be compressed")
	}
	binary.LittleEndian.PutUint32(out[at-4:], uint32(len(out)-at))
	return out, nil
}

// SetText sets whether [File.Encode] writes a text file. Files with opaque bytes
// or header chunks cannot be text files.
func (f *File) SetText(text bool) error {
	if f.IsText() == text {
		return nil
	}
	if err := f.understood(); err != nil {
		return err
	}
	if text && len(f.Chunks) > 0 {
		return fault.New(fault.Unsupported, "a text file has no header chunks, and this file has %d", len(f.Chunks))
	}
	f.Format = 'B'
	if text {
		f.Format, f.BodyCompression = 'T', 'U'
	}
	if f.RawUserData == nil {
		f.RawUserData = []byte{}
	}
	f.found = nil
	return nil
}

// understood returns an error for a file with an opaque region.
func (f *File) understood() error {
	for _, o := range f.Coverage().Opaque {
		return fault.At(fault.Unsupported, o.Offset, "", "the content of chunk %v is unknown and cannot be converted: %s", o.Chunk, o.Reason)
	}
	return nil
}
