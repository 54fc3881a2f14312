package nadeo

import (
	"fmt"

	"pakbox/fact"
	"pakbox/gbx"
)

// FileFacts makes the table of the first facts that are shown about any file. The
// function game names the game that made a file, "" if unknown.
func FileFacts(game func(*gbx.File) string) *fact.Table[*gbx.File] {
	return fact.NewTable("gbx", "A GBX file of any class.", []fact.Row[*gbx.File]{
		{Name: "class", Label: "Class", Storage: true, Kind: fact.ID, Doc: "number of the class, eight digits", Get: func(f *gbx.File) any { return f.Class.String() },
			Words: func(f *gbx.File) string { return fmt.Sprintf("%s (%v)", className(f), f.Class) }},
		{Name: "class_name", Kind: fact.ID, Doc: "name of the class", Get: func(f *gbx.File) any { return className(f) }},
		{Name: "game", Label: "Game", Kind: fact.Text, Doc: "game that made the file, if known",
			Get: func(f *gbx.File) any { name := game(f); return fact.Known(name, name != "") }, Shown: func(f *gbx.File) bool { return game(f) != "" }},
	})
}

// ContainerFacts are the facts about the GBX container: version, compression, size.
var ContainerFacts = fact.NewTable("gbx container", "The container of a GBX file.", []fact.Row[*gbx.File]{
	{Name: "version", Kind: fact.Count, Doc: "version of the container", Get: func(f *gbx.File) any { return f.Header.Version }},
	{Name: "encoding", Label: "Stored as", Storage: true, Kind: fact.Text, Doc: "binary or text", Get: func(f *gbx.File) any { return encoding(f) }, Words: storedAs},
	{Name: "compressed", Kind: fact.Flag, Doc: "whether the body is compressed", Get: func(f *gbx.File) any { return f.Header.IsCompressed() }},
	{Name: "body_size", Label: "Body", Storage: true, Kind: fact.Bytes, Doc: "size of the body, uncompressed", Get: func(f *gbx.File) any { return len(f.BodyBytes()) },
		Words: func(f *gbx.File) string { return fmt.Sprintf("%d bytes", len(f.BodyBytes())) }},
	{Name: "node_count", Label: "Nodes", Storage: true, Kind: fact.Count, Doc: "number of nodes that the header states", Get: func(f *gbx.File) any { return f.Header.NumNodes }},
	{Name: "references", Label: "Refers to", Storage: true, Kind: fact.List, Doc: "files outside that the header names", Get: func(f *gbx.File) any { return References(&f.Header.Refs) },
		Shown: func(f *gbx.File) bool { return len(References(&f.Header.Refs)) > 0 }},
})

func className(f *gbx.File) string { return f.Registry().ClassName(f.Class) }

func encoding(f *gbx.File) string {
	if f.Header.IsText() {
		return "text"
	}
	return "binary"
}

func storedAs(f *gbx.File) string {
	body := "uncompressed"
	if f.Header.IsCompressed() {
		body = "compressed"
	}
	return fmt.Sprintf("GBX version %d, %s, body %s", f.Header.Version, encoding(f), body)
}

// References lists the external files that a header names.
func References(t *gbx.RefTable) []string {
	refs := t.Paths()
	for i := range refs {
		if e := &t.External[i]; e.IsResource() {
			refs[i] = fmt.Sprintf("resource %d", e.ResourceIndex)
		}
	}
	return refs
}
