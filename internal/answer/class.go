package answer

import (
	"fmt"
	"strings"

	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
)

// Class is a class in class --json.
type Class struct {
	Schema    string       `json:"schema"`
	ID        string       `json:"id"`
	Name      *string      `json:"name"`
	Engine    string       `json:"engine"`
	Parent    *string      `json:"parent"`
	Extension *string      `json:"extension"`
	Older     []string     `json:"older_ids"`
	Former    []string     `json:"former_names"`
	Chunks    []classChunk `json:"chunks"`
	Sheet     *string      `json:"sheet"`
}

type classChunk struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Header bool   `json:"header"`
}

// ClassOf puts together what the tables and the sheets know.
func ClassOf(id classid.ID) Class {
	j := Class{Schema: "pakbox.class/1", ID: id.Class().String(), Engine: classid.EngineName(id.Engine()), Older: []string{}, Former: []string{}, Chunks: []classChunk{}}
	if c, ok := classid.Lookup(id); ok {
		j.Name, j.Parent, j.Extension = NonEmpty(c.Name), NonEmpty(c.Parent), NonEmpty(c.Extension)
		j.Former = append(j.Former, c.Former...)
	}
	for _, old := range id.Older() {
		j.Older = append(j.Older, old.String())
	}
	info, ok := engine.Registry().Class(id)
	if !ok {
		return j
	}
	j.Name = NonEmpty(info.Name)
	if info.Parent != "" {
		j.Parent = NonEmpty(info.Parent)
	}
	for _, c := range info.Chunks {
		j.Chunks = append(j.Chunks, classChunk{c.ID.String(), c.Name, c.Header})
	}
	if sheet, ok := engine.Sheet(info.Name); ok {
		if id.Chunk() != 0 {
			sheet = sheetPart(sheet, id)
		}
		j.Sheet = NonEmpty(sheet)
	}
	return j
}

// sheetPart cuts one chunk out of a sheet.
func sheetPart(sheet string, id classid.ID) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(sheet) {
		if len(line) > 1 && line[0] != ' ' {
			fields := strings.Fields(line)
			inside = len(fields) > 1 && (fields[0] == "chunk" || fields[0] == "header") &&
				(strings.EqualFold(fields[1], fmt.Sprintf("%03X", id.Chunk())) || strings.EqualFold(fields[1], id.String()))
		}
		if inside {
			b.WriteString(line)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
