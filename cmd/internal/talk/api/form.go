package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

// sent is what a request brings: the file that the question is about, further files that
// parameters name by their paths, and parameters.
type sent struct {
	name  string
	files map[string][]byte // by name; the file itself is one of them
	texts url.Values
	given map[string][]question.Content // files that are parameters
}

// isForm reports whether the body is a form.
func isForm(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/")
}

// takesForm reports whether a question can have a form as body: a parameter is a file, or
// the path of one.
func takesForm(q *question.Question) bool {
	return q.TakesContent() || slices.ContainsFunc(q.Parameters(), func(p question.Param) bool { return p.Paths })
}

// readBody reads a body that is the file.
func readBody(texts url.Values, data []byte) *sent {
	name := fileName(texts)
	return &sent{name: name, files: map[string][]byte{name: data}, texts: texts}
}

// readForm reads a body that is a form. The part "file" is the file, other parts are
// parameters: texts, files, or files in place of the paths that a command would take.
func readForm(q *question.Question, texts url.Values, kind string, data []byte) (*sent, error) {
	_, params, err := mime.ParseMediaType(kind)
	if err != nil {
		return nil, fault.Usagef("Content-Type: %v", err)
	}
	s := &sent{name: fileName(texts), files: map[string][]byte{}, texts: texts, given: map[string][]question.Content{}}
	parts := multipart.NewReader(bytes.NewReader(data), params["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			if s.files[s.name] == nil && !q.NoFile {
				return nil, fault.Usagef("the form has no part \"file\", which is the file")
			}
			return s, nil
		}
		if err != nil {
			return nil, fault.Usagef("the form cannot be read: %v", err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, fault.Usagef("the form cannot be read: %v", err)
		}
		if err := s.add(q, part, content); err != nil {
			return nil, err
		}
	}
}

// checkNames rejects names that no file can have. Without it the error would come from the
// system, with the path of a temporary file.
func (s *sent) checkNames() error {
	for name := range s.files {
		if err := pathname.Check(name); err != nil {
			return fault.Usagef("the name of a file cannot be used: %v", err)
		}
	}
	return nil
}

// add adds a part of a form.
func (s *sent) add(q *question.Question, part *multipart.Part, content []byte) error {
	name := part.FormName()
	i := slices.IndexFunc(q.Parameters(), func(p question.Param) bool { return p.Name == name })
	switch file := part.FileName(); {
	case name == "file":
		if s.name == noName && file != "" {
			s.name = plainName(file)
		}
		if s.files[s.name] != nil {
			return fault.Usagef("the form has more than one part \"file\"")
		}
		s.files[s.name] = content
	case file == "":
		s.texts.Add(name, string(content))
	case i >= 0 && q.Parameters()[i].Paths:
		s.texts.Add(name, s.keep(plainName(file), content))
	default:
		as := ""
		if strings.Contains(name, "=") { // add=Items/Tree.Item.Gbx
			name, as, _ = strings.Cut(name, "=")
		}
		s.given[name] = append(s.given[name], question.Content{Name: file, As: as, Data: content})
	}
	return nil
}

// keep keeps a further file, under a name that no other has.
func (s *sent) keep(name string, content []byte) string {
	free := name
	for n := 2; s.files[free] != nil || free == s.name; n++ {
		free = fmt.Sprintf("%d-%s", n, name)
	}
	s.files[free] = content
	return free
}

// noName is the name of a file without one.
const noName = "file"

// plainName returns the last part of a name. The name is never a path: it serves error
// messages and formats made of two files with related names.
func plainName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		return noName
	}
	return name
}
