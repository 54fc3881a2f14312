package gbxarchive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/wire"
	"pakbox/nadeo/maps"
)

// opaqueRegion is a part of the body that was not understood, for verify --json.
type opaqueRegion struct {
	Chunk  string `json:"chunk"`
	Class  string `json:"class"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// Verify checks the file: whether it saves and encodes to the same bytes, its checksum,
// facts that two places of the file state differently, and its parts.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	r := &archive.Report{Entries: len(a.Entries()), Bytes: int64(len(a.file.BodyBytes()))}
	c := a.file.Coverage()
	identical := c.Exact && bytes.Equal(a.file.Source(), a.data)
	if !identical {
		saved, err := a.file.Encode()
		identical = err == nil && bytes.Equal(saved, a.data)
	}
	if !identical {
		r.Add(finding.Error, fault.New(fault.Corrupt, "saved without a change, the file is not the same"))
	}
	for _, i := range c.Inexact {
		r.Add(finding.Warning, fault.At(fault.Corrupt, i.Offset, "", "chunk %v: %s", i.Chunk, i.Reason))
	}
	opaque := make([]opaqueRegion, len(c.Opaque))
	for i, o := range c.Opaque {
		opaque[i] = opaqueRegion{o.Chunk.String(), engine.Registry().ClassName(o.Class), o.Bytes, o.Reason}
		if o.Cause == gbx.AfterMainNode || o.Bytes == 0 && o.Offset == c.BodyBytes { // reported by verifyNodes
			continue
		}
		verdict, err := engine.Judge(o)
		if verdict == engine.Damaged {
			r.Add(finding.Error, err)
		} else {
			r.Add(finding.Warning, err)
			r.Regions++
		}
	}
	a.verifyNodes(r)
	a.verifyMap(r)
	for _, s := range Contradictions(a.file) {
		r.Add(finding.Warning, fault.New(fault.Corrupt, "%s", s))
	}
	if err := a.verifyParts(ctx, r, opts); err != nil {
		return nil, err
	}
	r.Facts = fact.Record{
		fact.Make("identical", "Saved identically", fact.Flag, identical, ""),
		fact.Make("recoded", "Coded identically", fact.Flag, len(c.Inexact) == 0, ""),
		fact.Make("body_bytes", "Body", fact.Count, c.BodyBytes, ""),
		fact.Make("decoded_bytes", "Understood", fact.Count, c.DecodedBytes, ""),
		fact.Make("opaque", "Opaque", fact.Object, opaque, ""),
	}
	return r, nil
}

// Broken implements archive.Broken.
func (a *Archive) Broken() error {
	if !a.file.HasMisfits() {
		return nil
	}
	for _, o := range a.file.Coverage().Opaque {
		if verdict, err := engine.Judge(o); verdict == engine.Damaged {
			return err
		}
	}
	return nil
}

// nodeEnd is at the end of every node with chunks in a binary file.
var nodeEnd = []byte{0x01, 0xde, 0xca, 0xfa}

// verifyNodes checks that the body ends with the end mark of its main node, and reports
// bytes that no game reads.
func (a *Archive) verifyNodes(r *archive.Report) {
	body := a.file.BodyBytes()
	class, _ := engine.Registry().Class(a.file.Class)
	if !a.file.IsText() && class.Plain == nil && len(a.file.Rest) == 0 && !bytes.HasSuffix(body, nodeEnd) {
		r.Add(finding.Error, fault.At(fault.Truncated, int64(len(body)), "", "the body ends without the mark that closes its main node: the file was cut off, or is damaged"))
	}
	if n := len(a.file.Rest); n > 0 {
		r.Add(finding.Warning, fault.At(fault.Corrupt, int64(len(a.file.BodyBytes())-n), "", "%d bytes follow the main node", n))
	}
	if n := len(a.file.Trailer); n > 0 {
		r.Add(finding.Warning, fault.At(fault.Corrupt, int64(len(a.data)-n), "", "%d bytes follow the compressed body", n))
	}
}

// verifyMap checks a map's checksum, which covers its password and its UID.
func (a *Archive) verifyMap(r *archive.Report) {
	m, err := maps.Of(a.file)
	if err != nil {
		return
	}
	p := m.Password()
	if !p.HasCRC || p.CRC == p.WantCRC {
		return
	}
	severity, why := finding.Error, ""
	if !p.Set { // the game accepts the map all the same
		severity, why = finding.Warning, "; the map has no password, so the checksum was computed with another UID"
	}
	r.Add(severity, fault.New(fault.HashMismatch,
		"chunk 03043029: the checksum of password and UID is %08X, and %08X is stored%s", p.WantCRC, p.CRC, why))
}

// verifyParts reads every part to its end, and verifies GBX files inside.
func (a *Archive) verifyParts(ctx context.Context, r *archive.Report, opts archive.Options) error {
	for i, e := range a.Entries() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.HasPrefix(e.Name, "items/") {
			if err := pathname.Check(e.Name); err != nil {
				r.Add(finding.Warning, err)
			}
		}
		f, err := a.OpenEntry(i)
		var content []byte
		if err == nil {
			if isGBX := strings.HasSuffix(strings.ToLower(e.Name), ".gbx"); isGBX && e.Size <= opts.EntryLimit() {
				var b bytes.Buffer
				b.Grow(int(min(max(e.Size, 0), 1<<20)) + bytes.MinRead) // more only for bytes that are there
				_, err = b.ReadFrom(f)
				content = b.Bytes()
			} else {
				_, err = io.Copy(io.Discard, f)
			}
			f.Close()
		}
		if err != nil {
			r.Add(finding.Error, fault.InEntry(fault.Wrap(fault.Corrupt, err, "cannot be read"), e.Name))
			continue
		}
		if content == nil {
			continue
		}
		inner, err := verifyInner(ctx, content, opts)
		if err != nil {
			return err
		}
		r.Regions += inner.Regions
		for _, f := range inner.Findings {
			f.Position.Entry = strings.TrimSuffix(e.Name+"/"+f.Position.Entry, "/")
			r.Findings = append(r.Findings, f)
		}
	}
	return nil
}

// verifyInner verifies a GBX file inside another. Content that is no GBX is a warning.
func verifyInner(ctx context.Context, content []byte, opts archive.Options) (*archive.Report, error) {
	in := archive.Input{ReaderAt: wire.Content(content), Size: int64(len(content))}
	inner, err := Format{}.Open(ctx, in, opts)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, fault.NotFormat):
		return &archive.Report{Findings: []finding.Finding{finding.Of(finding.Warning, err)}}, nil
	case err != nil:
		return &archive.Report{Findings: []finding.Finding{finding.Of(finding.SeverityOf(err), err)}}, nil
	}
	return inner.Verify(ctx, opts)
}
