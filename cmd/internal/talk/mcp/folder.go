package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"path"

	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// folderEntry is a file or a folder in a folder of the user, as ls lists entries.
type folderEntry struct {
	Name string `json:"name"` // folders end in a slash
	Size *int64 `json:"size"`
}

// folder answers ls for a folder that the assistant may see, or for the names of all of them.
// ok is false for any other question and for a path that leads to no such folder. It lists one
// level, because the folders of users hold many thousand files.
func (s *Server) folder(ctx context.Context, q *question.Question, name string, params map[string]json.RawMessage) (data []byte, ok bool) {
	if q.Name != "ls" || len(params) > 0 {
		return nil, false
	}
	below := path.Clean(source.Slashed(name))
	if below == "." || below == "/" {
		below = ""
	}
	answer := s.explorer.Ask(ctx, page.Request{Name: "children", Params: url.Values{"path": {below}}})
	text, err := answer.Read()
	if err != nil || answer.Status != page.OK {
		return nil, false
	}
	var held struct {
		Archive  bool `json:"archive"`
		Children []struct {
			Kind string `json:"kind"`
			folderEntry
		} `json:"children"`
	}
	if err := json.Unmarshal(text, &held); err != nil || held.Archive {
		return nil, false
	}
	list := []folderEntry{}
	for _, c := range held.Children {
		if c.Kind == source.FolderFormat {
			c.Name += "/"
		}
		list = append(list, c.folderEntry)
	}
	data, err = question.NewObject("ls", name, source.FolderFormat).Add("entries", list).MarshalJSON()
	return data, err == nil
}
