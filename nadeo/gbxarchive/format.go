// Package gbxarchive shows a GBX file as an archive. Its files are pictures, items, the
// map of a replay and lightmaps; its values can be dumped, read, set and compared. It
// connects gbx and gbx/tree with package archive.
package gbxarchive

import (
	"bytes"
	"context"

	"pakbox/archive"
	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
)

// Format is the GBX format.
type Format struct{}

// Name is the format's short name.
func (Format) Name() string { return "gbx" }

// Description is one line for the list of formats.
func (Format) Description() string {
	return "GBX: maps, replays, items and all else of TrackMania and ManiaPlanet"
}

// Extensions are the usual endings of file names.
func (Format) Extensions() []string { return []string{".gbx"} }

// Match looks for the letters GBX at the beginning.
func (Format) Match(in archive.Input) bool {
	p := in.Prefix(6)
	return len(p) == 6 && string(p[:3]) == "GBX" && p[4] == 0 && (p[5] == 'B' || p[5] == 'T')
}

// Open reads the whole file.
func (Format) Open(ctx context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	if limit := opts.EntryLimit(); in.Size > limit {
		return nil, fault.New(fault.Limit, "a file of %d bytes is larger than %d", in.Size, limit)
	}
	f, err := gbx.Open(ctx, in.ReaderAt, in.Size, engine.Registry())
	if err != nil {
		return nil, err
	}
	return newArchive(f, f.Source()), nil
}

// ReadDocument makes a file from a dump.
func (Format) ReadDocument(document []byte) ([]byte, error) {
	f, err := tree.ReadJSON(document, engine.Registry())
	if err != nil {
		return nil, err
	}
	return f.Encode()
}

// Settings of Recode.
const (
	paramBody  = "body"
	paramLevel = "level"
)

// RecodeParams are the settings of Recode.
func (Format) RecodeParams() []archive.Param {
	return []archive.Param{
		{Name: paramBody, Usage: "store the body compressed or uncompressed, or the file as text; else as it is"},
		{Name: paramLevel, Usage: "compress the body anew: fast or best"},
	}
}

// Recode writes the file with another storage form of its body: compressed, uncompressed
// or text.
func (f Format) Recode(_ context.Context, a archive.Archive, stage *archive.Stage, opts archive.CreateOptions) error {
	in, ok := a.(*Archive)
	if !ok {
		return fault.New(fault.Unsupported, "only a GBX file can be turned into a GBX file")
	}
	file, err := in.again()
	if err != nil {
		return err
	}
	data, err := f.recode(file, opts)
	if err != nil {
		return err
	}
	out, err := stage.File()
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// recode encodes the file in the wanted form. A body that already has this form stays as
// it is stored, unless a level is given.
func (f Format) recode(file *gbx.File, opts archive.CreateOptions) ([]byte, error) {
	level := lzo1x.Fast
	named := opts.Param(f.RecodeParams(), paramLevel)
	switch named {
	case "", "fast":
	case "best":
		level = lzo1x.Best
	default:
		return nil, &archive.ParamError{Name: paramLevel, Value: named, Want: "fast or best"}
	}
	switch v := opts.Param(f.RecodeParams(), paramBody); v {
	case "":
		if named != "" && file.IsCompressed() {
			file.SetCompression(true, level)
		}
		return file.Encode()
	case "compressed", "uncompressed":
		if err := file.SetText(false); err != nil {
			return nil, err
		}
		if compressed := v == "compressed"; named != "" || compressed != file.IsCompressed() {
			file.SetCompression(compressed, level)
		}
		return file.Encode()
	case "text":
		return asText(file)
	default:
		return nil, &archive.ParamError{Name: paramBody, Value: v, Want: "compressed, uncompressed or text"}
	}
}

// asText encodes a file as text. It fails if a float needs more than six decimals.
func asText(file *gbx.File) ([]byte, error) {
	if file.IsText() {
		return file.Encode()
	}
	binary, err := file.EncodeBody()
	if err != nil {
		return nil, err
	}
	if err := file.SetText(true); err != nil {
		return nil, err
	}
	data, err := file.Encode()
	if err != nil {
		return nil, err
	}
	back, err := gbx.Parse(data, engine.Registry())
	if err == nil {
		err = back.SetText(false)
	}
	var again []byte
	if err == nil {
		again, err = back.EncodeBody()
	}
	if err != nil || !bytes.Equal(again, binary) {
		return nil, fault.New(fault.Unsupported, "the file holds values that a text file cannot hold exactly, such as floats of more than six decimals")
	}
	return data, nil
}
