package gbxarchive

import (
	"fmt"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/trackmania/files"
	"pakbox/trackmania/items"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// fileFacts are the facts that a card begins with.
var fileFacts = fact.NewTable("gbx", "A GBX file of any class.", []fact.Row[*Archive]{
	{Name: "class", Label: "Class", Storage: true, Kind: fact.ID, Doc: "number of the class, eight digits", Get: func(a *Archive) any { return a.file.Class.String() },
		Words: func(a *Archive) string { return fmt.Sprintf("%s (%v)", a.className(), a.file.Class) }},
	{Name: "class_name", Kind: fact.ID, Doc: "name of the class", Get: func(a *Archive) any { return a.className() }},
	{Name: "game", Label: "Game", Kind: fact.Text, Doc: "game that made the file, if it tells", Get: func(a *Archive) any { return fact.Known(a.Game(), a.Game() != "") },
		Shown: func(a *Archive) bool { return a.Game() != "" }},
})

// containerFacts are the facts of the container.
var containerFacts = fact.NewTable("gbx container", "The container of a GBX file.", []fact.Row[*Archive]{
	{Name: "version", Kind: fact.Count, Doc: "version of the container", Get: func(a *Archive) any { return a.file.Header.Version }},
	{Name: "encoding", Label: "Stored as", Storage: true, Kind: fact.Text, Doc: "binary or text", Get: func(a *Archive) any { return a.encoding() }, Words: (*Archive).storedAs},
	{Name: "compressed", Kind: fact.Flag, Doc: "whether the body is compressed", Get: func(a *Archive) any { return a.file.Header.IsCompressed() }},
	{Name: "body_size", Label: "Body", Storage: true, Kind: fact.Bytes, Doc: "size of the body, uncompressed", Get: func(a *Archive) any { return len(a.file.BodyBytes()) },
		Words: func(a *Archive) string { return fmt.Sprintf("%d bytes", len(a.file.BodyBytes())) }},
	{Name: "node_count", Label: "Nodes", Storage: true, Kind: fact.Count, Doc: "number of nodes that the header states", Get: func(a *Archive) any { return a.file.Header.NumNodes }},
	{Name: "references", Label: "Refers to", Storage: true, Kind: fact.List, Doc: "files outside that the header names", Get: func(a *Archive) any { return a.References() },
		Shown: func(a *Archive) bool { return len(a.References()) > 0 }},
})

// Subjects lists the facts of files and of everything that files are about.
func (Format) Subjects() []*fact.Subject {
	return []*fact.Subject{
		&fileFacts.Subject, &maps.Facts.Subject, &runs.ReplayFacts.Subject, &runs.GhostFacts.Subject, &items.Facts.Subject, &meshFacts.Subject,
		&otherFacts.Subject, &containerFacts.Subject,
	}
}

// FactsOf are the facts of a file that is no archive here, such as one of which
// only a part can be read.
func FactsOf(f *gbx.File) fact.Record { return (&Archive{file: f}).Facts() }

// Facts describe the file, most interesting first.
func (a *Archive) Facts() fact.Record {
	record := fileFacts.Of(a)
	switch a.file.Class.Latest() {
	case classMap:
		if m, err := maps.Of(a.file); err == nil {
			record = append(record, maps.Facts.Of(m)...)
		}
	case classReplay:
		if r, err := runs.ReplayOf(a.file); err == nil {
			record = append(record, runs.ReplayFacts.Of(r)...)
		}
	case classGhost:
		if g, err := runs.GhostOf(a.file); err == nil {
			record = append(record, runs.GhostFacts.Of(g)...)
		}
	default:
		record = append(record, a.modelFacts()...)
	}
	return append(record, containerFacts.Of(a)...)
}

// modelFacts are the facts of all classes but maps and runs.
func (a *Archive) modelFacts() (record fact.Record) {
	record = append(items.FactsOf(a.file), MeshFactsOf(a.file)...)
	for _, v := range otherFacts.Of(newOther(a.file)) {
		if !record.Has(v.Name) {
			record = append(record, v)
		}
	}
	return record
}

func (a *Archive) className() string { return engine.Registry().ClassName(a.file.Class) }

func (a *Archive) encoding() string {
	if a.file.Header.IsText() {
		return "text"
	}
	return "binary"
}

func (a *Archive) storedAs() string {
	body := "uncompressed"
	if a.file.Header.IsCompressed() {
		body = "compressed"
	}
	return fmt.Sprintf("GBX version %d, %s, body %s", a.file.Header.Version, a.encoding(), body)
}

// Classes that a card has more to say about.
const (
	classMap    classid.ID = 0x03043000
	classReplay classid.ID = 0x03093000
	classGhost  classid.ID = 0x03092000
	classItem   classid.ID = 0x2E002000
)

// Game names the game that made the file; "" if that cannot be told.
func (a *Archive) Game() string { return files.GameOf(a.file) }

// References lists the files outside that the header names.
func (a *Archive) References() []string { return references(&a.file.Header.Refs) }

func references(t *gbx.RefTable) []string {
	refs := t.Paths()
	for i := range refs {
		if e := &t.External[i]; e.IsResource() {
			refs[i] = fmt.Sprintf("resource %d", e.ResourceIndex)
		}
	}
	return refs
}
