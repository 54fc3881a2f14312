// Package assist offers the questions to AI assistants, as tools of the Model Context
// Protocol (MCP). Tools see the files below the given folders, and change them only if
// that was allowed.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/talk"
	"pakbox/fault"
)

// Server is a server for one assistant.
type Server struct {
	explorer *page.Explorer
	*mcp.Server
}

// New makes a server for the files below some folders, whose paths begin with the given
// names. write allows changes.
func New(version string, files *page.Files, names []string, formats archive.Registry, keys func() (archive.Keys, error), write bool) *Server {
	s := &Server{page.New(page.Options{Files: files, Formats: formats, Keys: keys, ReadOnly: !write}), mcp.NewServer(&mcp.Implementation{Name: "pakbox", Version: version}, &mcp.ServerOptions{
		Instructions: "pakbox explains files of games. Paths begin with one of these names and lead through archives with slashes: " +
			strings.Join(names, ", ") + ". Ask ls to see what a folder or an archive holds, and with the path . for these names; ask info to see what a file is.",
	})}
	subjects := answer.Subjects(formats)
	for _, q := range answer.Questions() {
		if q.Change {
			continue
		}
		s.AddTool(tool(q, q.Schema(subjects)), s.handler(q))
	}
	if write {
		s.addChanges()
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "file", URITemplate: "pakbox:///{+path}", Description: "the content of a file, also of one in an archive"}, s.read)
	return s
}

// tool describes a question as a tool. It omits the schema of the answer, which would
// take more of an assistant's context than the answers.
func tool(q *question.Question, answers question.Schema) *mcp.Tool {
	no := false
	properties := talk.ParamsSchema(q)
	required := []string{}
	if !q.NoFile {
		required = append(required, "path")
	}
	properties["path"] = question.Schema{"type": "string", "description": "path of the file, folder, archive or entry"}
	properties["from_row"] = question.Schema{"type": "integer", "minimum": 0, "description": "first row of long lists to show, for the rest of an answer that was cut"}
	properties["max_rows"] = question.Schema{"type": "integer", "minimum": 1, "description": "number of rows of each list to show"}
	var fields []string
	known, _ := answers["properties"].(question.Schema)
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if name != "schema" && name != "path" && name != "format" && q.Name != "info" {
			fields = append(fields, name)
		}
	}
	doc := strings.ToUpper(q.Doc[:1]) + q.Doc[1:] + "."
	if len(fields) > 0 {
		doc += " Answers: " + strings.Join(fields, ", ") + "."
	}
	return &mcp.Tool{
		Name: ToolName(q), Description: doc,
		InputSchema: question.Schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false},
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no},
	}
}

// ToolName returns the name of a question as a tool. Some clients do not accept dots.
func ToolName(q *question.Question) string { return strings.ReplaceAll(q.Name, ".", "_") }

// handler answers a question. An error about a file is also an answer.
func (s *Server) handler(q *question.Question) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		params := map[string]json.RawMessage{}
		var asked struct {
			Path string `json:"path"`
			rows
		}
		if len(r.Params.Arguments) > 0 {
			if err := json.Unmarshal(r.Params.Arguments, &params); err != nil {
				return failed(err, ""), nil
			}
			if err := json.Unmarshal(r.Params.Arguments, &asked); err != nil {
				return failed(err, ""), nil
			}
		}
		for _, own := range []string{"path", "from_row", "max_rows"} {
			delete(params, own)
		}
		request, err := requestOf(q, asked.Path, params)
		if err != nil {
			return failed(err, asked.Path), nil
		}
		if data, ok := s.folder(ctx, q, asked.Path, params); ok {
			if data, err = asked.cut(data); err != nil {
				return failed(err, asked.Path), nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
		}
		a := s.explorer.Ask(ctx, request)
		data, err := a.Read()
		switch {
		case err != nil:
			return failed(err, asked.Path), nil
		case a.Status != page.OK:
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}}, nil
		case strings.HasPrefix(a.Type, "image/"):
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{MIMEType: a.Type, Data: data}}}, nil
		case !strings.HasPrefix(a.Type, "application/json"):
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
				URI: "pakbox:answer/" + a.File, MIMEType: a.Type, Blob: data}}}}, nil
		}
		if data, err = asked.cut(data); err != nil {
			return failed(err, asked.Path), nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
	}
}

// requestOf makes the request of a question to the page. A question that takes files gets
// its parameters as JSON.
func requestOf(q *question.Question, path string, params map[string]json.RawMessage) (r page.Request, err error) {
	if err := q.CheckNames(slices.Sorted(maps.Keys(params))); err != nil {
		return r, err
	}
	if q.TakesContent() {
		body, err := json.Marshal(params)
		return page.Request{Name: q.Name, Params: url.Values{"path": {path}}, Post: true, Body: bytes.NewReader(body)}, err
	}
	texts, err := talk.TextsOf(params)
	if err != nil {
		return r, err
	}
	texts["path"] = []string{path}
	return page.Request{Name: q.Name, Params: url.Values(texts)}, nil
}

func failed(err error, path string) *mcp.CallToolResult {
	text, err := question.Marshal(map[string]any{"error": question.ErrorAbout(err, path)})
	if err != nil {
		text = []byte(err.Error())
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
}

// maxResource limits the content that an assistant reads at once.
const maxResource = 8 << 20

// read reads a file for an assistant.
func (s *Server) read(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	u, err := url.Parse(r.Params.URI)
	if err != nil {
		return nil, err
	}
	a := s.explorer.Ask(ctx, page.Request{Name: "content", Params: url.Values{"path": {strings.TrimPrefix(u.Path, "/")}}})
	defer a.Close()
	data, err := io.ReadAll(io.LimitReader(a.Content, maxResource+1))
	switch {
	case err != nil:
		return nil, err
	case a.Status != page.OK:
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	case len(data) > maxResource:
		return nil, fault.New(fault.Limit, "the file exceeds the limit of %d bytes", maxResource)
	}
	kind := mime.TypeByExtension(path.Ext(u.Path))
	content := &mcp.ResourceContents{URI: r.Params.URI, MIMEType: kind}
	if strings.HasPrefix(kind, "text/") {
		content.Text = string(data)
	} else {
		content.Blob = data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}

// Serve talks to one assistant until it goes away.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.explorer.Close()
	to := &shared{w: out}
	err := s.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(newLines(in, to)), Writer: to})
	if err == io.EOF {
		return nil
	}
	return err
}

// rows chooses a part of long lists.
type rows struct {
	From int `json:"from_row"`
	Max  int `json:"max_rows"`
}

// Limits for one answer to an assistant.
const (
	maxRows = 200
	maxText = 60 << 10
)

// cut shortens the lists of an answer, and adds how to get the rest.
func (r rows) cut(text []byte) ([]byte, error) {
	if r.From < 0 || r.Max < 0 {
		return nil, fault.Usagef("from_row and max_rows cannot be negative")
	}
	if r.Max == 0 {
		r.Max = maxRows
	}
	if len(text) <= maxText && r.From == 0 && r.Max == maxRows {
		return text, nil
	}
	for ; r.Max > 0; r.Max /= 2 {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, err
		}
		parts, rest := []string{}, ""
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			var list []json.RawMessage
			if json.Unmarshal(fields[name], &list) != nil || len(list) <= r.Max && r.From == 0 {
				continue
			}
			from := min(r.From, len(list))
			to := min(from+r.Max, len(list))
			part, err := question.Marshal(list[from:to])
			if err != nil {
				return nil, err
			}
			fields[name] = part
			parts = append(parts, fmt.Sprintf("%s: rows %d to %d of %d", name, from, to, len(list)))
			if to < len(list) {
				rest = fmt.Sprintf("; the rest: from_row %d", r.From+r.Max)
			}
		}
		if len(parts) > 0 {
			note, err := question.Marshal(strings.Join(parts, "; ") + rest)
			if err != nil {
				return nil, err
			}
			fields["cut"] = note
		}
		if short, err := question.Marshal(fields); err != nil || len(short) <= maxText {
			return short, err
		}
	}
	return nil, fault.New(fault.Limit, "the answer of %d bytes exceeds the limit: ask something narrower", len(text)).
		Hint("parameters such as step, fields, ghost or pattern make the answer smaller")
}
