package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/talk"
	"pakbox/fault"
)

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
	for _, q := range answer.Questions() {
		if !q.Change {
			continue
		}
		properties := talk.ParamsSchema(q)
		for _, p := range question.SavingParams() { // the tool decides how to save
			delete(properties, p.Name)
		}
		properties["path"] = text("path of the file")
		properties["confirm"] = question.Schema{"type": "boolean", "description": "make the change, after the same call without confirm has shown it"}
		s.AddTool(&mcp.Tool{
			Name: ToolName(q), Description: strings.ToUpper(q.Doc[:1]) + q.Doc[1:] + ". The first call shows the change, the second with confirm makes it and keeps the old file beside the new one.",
			InputSchema: question.Schema{"type": "object", "properties": properties, "required": []string{"path"}, "additionalProperties": false},
			Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &no},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.change(ctx, seen, q.Name, r.Params.Arguments), nil
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
	call, err := question.Marshal([]any{name, path, given})
	if err != nil {
		return failed(err, path)
	}
	seen.mutex.Lock()
	known := seen.calls[string(call)]
	delete(seen.calls, string(call))
	seen.mutex.Unlock()
	if confirmed && !known {
		return failed(fault.Usagef("this change has no preview yet").Hint("call the tool without confirm first"), path)
	}
	given["dry_run"], given["backup"] = !confirmed, true
	body, err := question.Marshal(given)
	if err != nil {
		return failed(err, path)
	}
	a := s.explorer.Ask(ctx, page.Request{Name: name, Params: url.Values{"path": {path}}, Post: true, Body: bytes.NewReader(body)})
	data, err := a.Read()
	switch {
	case err != nil:
		return failed(err, path)
	case a.Status != page.OK:
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}
	}
	if !confirmed {
		seen.mutex.Lock()
		seen.calls[string(call)] = true
		seen.mutex.Unlock()
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}
}
