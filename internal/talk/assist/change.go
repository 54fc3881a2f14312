package assist

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pakbox/internal/explore"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
)

// changes are the tools that change files. The explorer's page offers the same changes.
var changes = []struct {
	tool, change, doc string
	params            question.Schema
	required          []string
}{
	{"change_value", "set", "Change a value of a file, by the path that dump and get show.",
		question.Schema{"path_in_file": text("path of the value"), "value": text("new value")}, []string{"path_in_file", "value"}},
	{"change_map_name", "map.rename", "Give a map another name.",
		question.Schema{"name": text("new name; colour codes are kept, {name} is the old name")}, []string{"name"}},
	{"change_map_medals", "map.medals", "Change the medals of a map.",
		question.Schema{"author": text(medal), "gold": text(medal), "silver": text(medal), "bronze": text(medal)}, nil},
	{"change_map_meta", "map.meta.set", "Change values that scripts stored in a map.",
		question.Schema{"set": question.Schema{"type": "object", "additionalProperties": question.Schema{"type": "string"}, "description": "new values by name"}}, []string{"set"}},
}

const medal = "time such as 0:36.217, points, or none; the medal stays without it"

func text(doc string) question.Schema {
	return question.Schema{"type": "string", "description": doc}
}

// shown remembers the changes that a dry run has shown.
type shown struct {
	mutex sync.Mutex
	calls map[string]bool
}

// addChanges adds the tools that change files. The first call only shows a change; a
// second call with the same arguments and confirm makes it. The old file is kept beside
// the new one.
func (s *Server) addChanges() {
	seen := &shown{calls: map[string]bool{}}
	yes, no := true, false
	for _, c := range changes {
		properties := question.Schema{
			"path":    text("path of the file"),
			"confirm": question.Schema{"type": "boolean", "description": "make the change, after the same call without confirm has shown it"},
		}
		for name, schema := range c.params {
			properties[name] = schema
		}
		s.AddTool(&mcp.Tool{
			Name: c.tool, Description: c.doc + " The first call shows the change, the second with confirm makes it and keeps the old file beside the new one.",
			InputSchema: question.Schema{"type": "object", "properties": properties, "required": append([]string{"path"}, c.required...), "additionalProperties": false},
			Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &no},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.change(ctx, seen, c.change, r.Params.Arguments), nil
		})
	}
}

// change shows a change, or makes one that was shown before.
func (s *Server) change(ctx context.Context, seen *shown, name string, arguments json.RawMessage) *mcp.CallToolResult {
	given := map[string]any{}
	if err := json.Unmarshal(arguments, &given); err != nil {
		return failed(err, "")
	}
	path, _ := given["path"].(string)
	confirmed, _ := given["confirm"].(bool)
	delete(given, "path")
	delete(given, "confirm")
	call, err := form.Marshal([]any{name, path, given})
	if err != nil {
		return failed(err, path)
	}
	seen.mutex.Lock()
	known := seen.calls[string(call)]
	delete(seen.calls, string(call))
	seen.mutex.Unlock()
	if confirmed && !known {
		return failed(hint.Usagef("this change was not shown yet").Hint("call the tool without confirm first"), path)
	}
	given["dry_run"], given["backup"] = !confirmed, true
	body, err := form.Marshal(given)
	if err != nil {
		return failed(err, path)
	}
	a := s.explorer.Ask(ctx, explore.Question{Name: name, Params: url.Values{"path": {path}}, Post: true, Body: bytes.NewReader(body)})
	data, err := a.Read()
	switch {
	case err != nil:
		return failed(err, path)
	case a.Status != explore.OK:
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}
	}
	if !confirmed {
		seen.mutex.Lock()
		seen.calls[string(call)] = true
		seen.mutex.Unlock()
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}
}
