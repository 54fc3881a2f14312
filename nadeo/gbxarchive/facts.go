package gbxarchive

import (
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// Subjects lists the facts of GBX files and of their subjects: maps, runs, items and
// others.
func (Format) Subjects() []*fact.Subject {
	return []*fact.Subject{
		&Facts.Subject, &maps.Facts.Subject, &runs.ReplayFacts.Subject, &runs.GhostFacts.Subject, &items.Facts.Subject, &meshFacts.Subject,
		&otherFacts.Subject, &nadeo.ContainerFacts.Subject,
	}
}

// FactsOf returns the facts of a file that is not open as an archive.
func FactsOf(f *gbx.File) fact.Record { return (&Archive{file: f}).Facts() }

// Facts describe the file, most interesting first. Of a damaged file they are those of
// its header.
func (a *Archive) Facts() fact.Record {
	if a.salvaged {
		return a.headerFacts()
	}
	return a.allFacts()
}

func (a *Archive) allFacts() fact.Record {
	record := Facts.Of(a.file)
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
	return append(record, nadeo.ContainerFacts.Of(a.file)...)
}

// modelFacts are the facts of all classes except maps and runs.
func (a *Archive) modelFacts() (record fact.Record) {
	record = append(items.FactsOf(a.file), MeshFactsOf(a.file)...)
	for _, v := range otherFacts.Of(newOther(a.file)) {
		if !record.Has(v.Name) {
			record = append(record, v)
		}
	}
	return record
}

// Classes with further facts on their cards.
const (
	classMap    classid.ID = 0x03043000
	classReplay classid.ID = 0x03093000
	classGhost  classid.ID = 0x03092000
	classItem   classid.ID = 0x2E002000
)

// Game names the game that made the file; "" if that is unknown.
func (a *Archive) Game() string { return GameOf(a.file) }

// References lists the external files in the header's reference table.
func (a *Archive) References() []string { return nadeo.References(&a.file.Header.Refs) }
