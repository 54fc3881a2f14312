package gbxarchive

import (
	"context"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/wire"
)

// Salvage opens the readable part of a damaged file: the pictures and texts of its
// header, the facts in it as facts.json, and the body up to where it breaks, with the
// files in chunks that are complete.
func (Format) Salvage(_ context.Context, in archive.Input, opts archive.Options) (archive.Archive, error) {
	if limit := opts.EntryLimit(); in.Size > limit {
		return nil, fault.New(fault.Limit, "a file of %d bytes is larger than %d", in.Size, limit)
	}
	data, err := wire.ReadAt(in, in.Size, 0, in.Size, "file")
	if err != nil {
		return nil, err
	}
	f, err := gbx.Salvage(data, engine.Registry())
	if f == nil || f.Body == nil {
		return nil, err
	}
	a := &Archive{file: f, data: data, salvaged: true}
	a.build()
	return a, nil
}

// headerFacts are the facts that stand in the header, which is often intact if the body
// is cut off.
func (a *Archive) headerFacts() (facts fact.Record) {
	for _, v := range a.allFacts() {
		if slices.ContainsFunc(inHeader, func(name string) bool { return v.Name == name || strings.HasPrefix(v.Name, name+"_") }) {
			facts = append(facts, v)
		}
	}
	return facts
}

// inHeader names the facts of headerFacts, and what the names of more begin with.
var inHeader = []string{"game", "class_name", "name", "author_login", "author_nick", "author_zone", "uid", "collection_name", "mood", "map_type", "title_id", "medals", "password"}
