package pak

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// AnnotationsName is the name of the file beside extracted entries that keeps metadata
// records. [Format.Create] and [Archive.Edit] read it and do not store it.
const AnnotationsName = "nadeopak-metadata.json"

const annotationsSchema = "pakbox.nadeopak-metadata/1"

// annotations is the content of the file. A record is in hexadecimal digits; null means
// that an entry has none, although its header would give one.
type annotations struct {
	Schema  string             `json:"schema"`
	Version uint32             `json:"version"` // version of the pack: it decides the form of the records
	Records map[string]*string `json:"records"`
}

var _ archive.Annotated = (*Archive)(nil)

// Annotations implements archive.Annotated.
func (a *Archive) Annotations() (name string, data []byte, err error) {
	p := a.pack
	if !p.hasMetadata() {
		return "", nil, nil
	}
	if _, err := p.metadata(); err != nil {
		return "", nil, err
	}
	file := annotations{annotationsSchema, p.Version, map[string]*string{}}
	for i, name := range p.paths {
		if strings.EqualFold(name, AnnotationsName) {
			return "", nil, nil // the pack stores a file of this name
		}
		c, err := p.carried(i)
		if err != nil {
			return "", nil, err
		}
		if c == nil {
			continue
		}
		file.Records[name] = nil
		if c.data != nil {
			text := hex.EncodeToString(c.data)
			file.Records[name] = &text
		}
	}
	if len(file.Records) == 0 {
		return "", nil, nil
	}
	data, err = json.MarshalIndent(file, "", "  ")
	return AnnotationsName, append(data, '\n'), err
}

// maxAnnotations limits the file: the longest metadata section, as digits with names.
const maxAnnotations = 4 * maxHeader

// readAnnotations reads the file. The keys of the result are paths in lower case.
func readAnnotations(ctx context.Context, item archive.Item) (map[string]*carriedRecord, error) {
	if item.Size > maxAnnotations {
		return nil, fault.InEntry(fault.New(fault.Limit, "has %d bytes; the limit is %d", item.Size, maxAnnotations), item.Name)
	}
	src, err := item.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	data, err := io.ReadAll(io.LimitReader(src, maxAnnotations))
	if err != nil {
		return nil, err
	}
	var file annotations
	bad := func(format string, args ...any) error {
		return fault.InEntry(fault.New(fault.Corrupt, format, args...), item.Name)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, bad("is not a list of metadata: %v", err)
	}
	if file.Schema != annotationsSchema {
		return nil, bad("expected the schema %s, found %q", annotationsSchema, file.Schema)
	}
	records := make(map[string]*carriedRecord, len(file.Records))
	for name, text := range file.Records {
		c := &carriedRecord{version: file.Version}
		if text != nil {
			if c.data, err = parseRecord(file.Version, *text); err != nil {
				return nil, bad("%s: %v", name, err)
			}
		}
		records[strings.ToLower(name)] = c
	}
	return records, ctx.Err()
}

// parseRecord reads a record in hexadecimal digits.
func parseRecord(version uint32, text string) ([]byte, error) {
	data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("expected hexadecimal digits, two for each byte")
	}
	if version >= 18 {
		if len(data) > maxRecord {
			return nil, fmt.Errorf("a record has %d bytes at most, found %d", maxRecord, len(data))
		}
		return data, nil
	}
	if head, n := parseGBXHead(data); head == nil || n != len(data) {
		return nil, fmt.Errorf("expected the beginning of a GBX file, up to and including its number of nodes")
	}
	return data, nil
}

// takeAnnotations removes the file from the items of a new pack and returns its records.
func takeAnnotations(ctx context.Context, items []archive.Item) ([]archive.Item, map[string]*carriedRecord, error) {
	for i, item := range items {
		if item.Name == AnnotationsName {
			records, err := readAnnotations(ctx, item)
			return append(append([]archive.Item{}, items[:i]...), items[i+1:]...), records, err
		}
	}
	return items, nil, nil
}

// takeAnnotationEdits is takeAnnotations for edits of a pack that has no such file.
func (a *Archive) takeAnnotationEdits(ctx context.Context, edits []archive.Edit) ([]archive.Edit, map[string]*carriedRecord, error) {
	for _, name := range a.pack.paths {
		if strings.EqualFold(name, AnnotationsName) {
			return edits, nil, nil
		}
	}
	for i, e := range edits {
		if e.Put != nil && e.Put.Name == AnnotationsName {
			records, err := readAnnotations(ctx, *e.Put)
			return append(append([]archive.Edit{}, edits[:i]...), edits[i+1:]...), records, err
		}
	}
	return edits, nil, nil
}
