package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The parts of the Language Server Protocol 3.17 that the server uses, with the names of
// the specification.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // UTF-16 units
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"` // by URI
}

type textDocument struct {
	URI     string `json:"uri"`
	Text    string `json:"text,omitempty"`
	Version int    `json:"version,omitempty"`
}

// documentParams are the parameters of requests about a place in a document.
type documentParams struct {
	TextDocument   textDocument `json:"textDocument"`
	Position       position     `json:"position"`
	NewName        string       `json:"newName"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type watchedFilesParams struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}

type initializeParams struct {
	RootURI          string `json:"rootUri"`
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	InitializationOptions struct {
		Target string   `json:"target"`
		Cell   int      `json:"cell"`
		Pakset []string `json:"pakset"`
	} `json:"initializationOptions"`
}

type initializeResult struct {
	Capabilities map[string]any    `json:"capabilities"`
	ServerInfo   map[string]string `json:"serverInfo"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) markup { return markup{"markdown", text} }

type hover struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation markup   `json:"documentation"`
	TextEdit      textEdit `json:"textEdit"`
}

// Kinds of completion items.
const (
	kindProperty  = 10
	kindValue     = 12
	kindFile      = 17
	kindReference = 18
)

// pathOf returns the path of a file URI, "" for any other URI.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// column converts a byte offset in a line to UTF-16 units.
func column(line string, offset int) (units int) {
	for _, r := range line[:min(offset, len(line))] {
		units += max(utf16.RuneLen(r), 1)
	}
	return units
}

// offset converts UTF-16 units to a byte offset in a line.
func offset(line string, units int) int {
	for i, r := range line {
		if units <= 0 {
			return i
		}
		units -= max(utf16.RuneLen(r), 1)
	}
	return len(line)
}

// span is the range of some bytes of a line.
func span(number int, line string, from, to int) textRange {
	return textRange{position{number, column(line, from)}, position{number, column(line, to)}}
}

// valid makes a text valid UTF-8, because JSON requires it.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }
