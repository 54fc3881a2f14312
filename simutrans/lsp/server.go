// Package lsp is a language server for Simutrans sources. It speaks the Language Server
// Protocol over two streams: it reports findings while the author types, completes keys
// and values, shows an explanation or a picture under the mouse, finds objects by name,
// renames them, and formats sources.
//
// Keys with their ranges, defaults and sentences come from package object, findings from
// the compiler. Only the messages in use are declared: see protocol.go.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/format"
	"pakbox/simutrans/object"
)

// Options are the settings of the server. The client may set them too, in its
// initializationOptions.
type Options struct {
	Target string   // "" means object.DefaultTarget
	Cell   int      // pixels; 0 means compile.DefaultCell
	Pakset []string // compiled files and folders, for the names of their objects
}

// Serve answers a client until it sends exit or closes the connection.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	s := &server{conn: conn{in: bufio.NewReader(in), out: out}, opts: opts, project: newProject(), changed: make(chan string, 64)}
	if err := s.setOptions(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var checking sync.WaitGroup
	checking.Go(func() { s.checkChanged(ctx) })
	defer checking.Wait()
	defer cancel()
	for {
		m, err := s.read()
		var wrong *rpcError
		switch {
		case errors.As(err, &wrong):
			err = s.reply(json.RawMessage("null"), nil, wrong)
		case errors.Is(err, io.EOF) || m.Method == "exit":
			return nil
		case err == nil:
			err = s.handle(m)
		}
		if err != nil {
			return err
		}
	}
}

// server is the state of one connection.
type server struct {
	conn
	opts    Options
	changed chan string // paths of sources to check

	mu       sync.Mutex // protects the fields below
	target   object.Target
	compiler *compile.Compiler
	project  *project
	folders  []string
}

// setOptions makes the compiler for the options.
func (s *server) setOptions() error {
	c, err := compile.NewCompiler(s.opts.Target, s.opts.Cell)
	if err != nil {
		return err
	}
	s.compiler, s.target = c, c.Target()
	return nil
}

// handle answers one message.
func (s *server) handle(m message) error {
	result, err := s.call(m)
	if m.ID == nil {
		return nil // a notification gets no answer
	}
	var wrong *rpcError
	if err != nil && !errors.As(err, &wrong) {
		wrong = &rpcError{invalidParams, err.Error()}
	}
	return s.reply(m.ID, result, wrong)
}

func (s *server) call(m message) (result any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.Method {
	case "initialize":
		return s.initialize(m.Params)
	case "initialized":
		s.project.load(s.folders)
		s.project.loadPakset(s.opts.Pakset)
		return nil, nil
	case "shutdown", "$/cancelRequest", "$/setTrace", "textDocument/willSave":
		return nil, nil
	case "workspace/didChangeWatchedFiles":
		return nil, s.filesChanged(m.Params)
	}
	var params documentParams
	if err := json.Unmarshal(m.Params, &params); err != nil {
		return nil, &rpcError{invalidParams, err.Error()}
	}
	path := pathOf(params.TextDocument.URI)
	if path == "" && !strings.HasPrefix(m.Method, "textDocument/") {
		return nil, &rpcError{unknownMethod, "there is no method " + m.Method}
	}
	if path == "" {
		return nil, &rpcError{invalidParams, "the document is not a file"}
	}
	if isKnown, err := s.documentChanged(m.Method, path, params); isKnown {
		return nil, err
	}
	answer := map[string]func(place, documentParams) (any, error){
		"textDocument/completion":    s.completion,
		"textDocument/hover":         s.hover,
		"textDocument/definition":    s.definition,
		"textDocument/references":    s.references,
		"textDocument/prepareRename": s.prepareRename,
		"textDocument/rename":        s.rename,
		"textDocument/formatting":    s.formatting,
	}[m.Method]
	if answer == nil {
		return nil, &rpcError{unknownMethod, "unknown method " + m.Method}
	}
	source := s.project.sources[path]
	if source == nil {
		return nil, &rpcError{invalidRequest, "the document is not open"}
	}
	return answer(source.find(params.Position, s.target), params)
}

func (s *server) initialize(raw json.RawMessage) (any, error) {
	var params initializeParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, &rpcError{invalidParams, err.Error()}
	}
	set := params.InitializationOptions
	if set.Target != "" {
		s.opts.Target = set.Target
	}
	if set.Cell != 0 {
		s.opts.Cell = set.Cell
	}
	s.opts.Pakset = append(s.opts.Pakset, set.Pakset...)
	if err := s.setOptions(); err != nil {
		return nil, err
	}
	for _, folder := range params.WorkspaceFolders {
		s.folders = append(s.folders, pathOf(folder.URI))
	}
	if root := pathOf(params.RootURI); len(s.folders) == 0 && root != "" {
		s.folders = []string{root}
	}
	return initializeResult{
		Capabilities: map[string]any{
			"textDocumentSync":           map[string]any{"openClose": true, "change": 1, "save": true}, // 1 means whole documents
			"completionProvider":         map[string]any{"triggerCharacters": []string{"=", ",", "["}},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"renameProvider":             map[string]any{"prepareProvider": true},
			"documentFormattingProvider": true,
		},
		ServerInfo: map[string]string{"name": "pakbox"},
	}, nil
}

// documentChanged keeps the text of documents that are open in the editor.
func (s *server) documentChanged(method, path string, params documentParams) (isKnown bool, err error) {
	switch method {
	case "textDocument/didOpen":
		s.open(path, params.TextDocument.Text, params.TextDocument.Version)
	case "textDocument/didChange":
		for _, change := range params.ContentChanges { // each change is the whole text
			s.open(path, change.Text, params.TextDocument.Version)
		}
	case "textDocument/didSave":
		s.check(path)
	case "textDocument/didClose":
		if source := s.project.sources[path]; source != nil {
			source.isOpen = false
		}
		s.project.reload(path)
		err = s.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{URI: params.TextDocument.URI, Diagnostics: []diagnostic{}})
	default:
		return false, nil
	}
	return true, err
}

func (s *server) open(path, text string, version int) {
	source := newSource(path, text)
	source.isOpen, source.version = true, version
	s.project.sources[path] = source
	s.check(path)
}

// filesChanged reads sources again that another program has changed. Pictures may have
// changed too, so the compiler drops its cached pictures.
func (s *server) filesChanged(raw json.RawMessage) error {
	var params watchedFilesParams
	if err := json.Unmarshal(raw, &params); err != nil {
		return err
	}
	for _, change := range params.Changes {
		if path := pathOf(change.URI); filepath.Ext(path) == ".dat" {
			s.project.reload(path)
		}
	}
	if err := s.setOptions(); err != nil {
		return err
	}
	for path, source := range s.project.sources {
		if source.isOpen {
			s.check(path)
		}
	}
	return nil
}

// check requests findings about a source. If too many requests are waiting it is dropped;
// the next change requests it again.
func (s *server) check(path string) {
	select {
	case s.changed <- path:
	default:
	}
}

// pause is the time without typing after which a source is checked.
const pause = 150 * time.Millisecond

// checkChanged checks sources after changes.
func (s *server) checkChanged(ctx context.Context) {
	waiting := map[string]bool{}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case path := <-s.changed:
			waiting[path] = true
			timer.Reset(pause)
		case <-timer.C:
			for path := range waiting {
				if s.publish(path) != nil {
					return // the client has closed the connection
				}
			}
			clear(waiting)
		}
	}
}

// formatting answers with the whole text in formatted form.
func (s *server) formatting(p place, _ documentParams) (any, error) {
	text := p.text()
	formatted := string(format.Source([]byte(text), s.target))
	if formatted == text {
		return []textEdit{}, nil
	}
	last := len(p.lines) - 1
	return []textEdit{{textRange{End: position{last, column(p.line(last), len(p.line(last)))}}, formatted}}, nil
}
