package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
)

// Formats lists the formats that pakbox knows.
type Formats struct {
	Formats []knownFormat `json:"formats" doc:"formats in the order in which files are tried"`
}

type knownFormat struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Extensions  []string `json:"extensions"`
	Write       bool     `json:"write" doc:"whether pakbox writes the format"`
	Settings    []string `json:"settings" doc:"names of the settings for new files"`
}

// KnownFormats is the question which formats pakbox knows.
var KnownFormats = question.New(&room, "formats", "the formats that pakbox knows", func(_ context.Context, at *question.At, _ question.NoParams) (*Formats, error) {
	all := &Formats{}
	for _, f := range at.Opener.Formats {
		j := knownFormat{f.Name(), f.Description(), append([]string{}, f.Extensions()...), false, []string{}}
		if c, ok := f.(archive.Creator); ok {
			j.Write = true
			for _, p := range c.Params() {
				j.Settings = append(j.Settings, p.Name)
			}
		}
		if d, ok := f.(archive.DocumentFormat); ok { // of a file of the format, or of its JSON
			j.Write = true
			for _, p := range d.RecodeParams() {
				j.Settings = append(j.Settings, p.Name)
			}
		}
		all.Formats = append(all.Formats, j)
	}
	return all, nil
}).AboutNoFile()
