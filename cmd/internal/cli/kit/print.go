package kit

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
)

// Print writes one object as one line.
func (a *App) Print(o *question.Object) error {
	a.Meter.Hide()
	return o.Write(a.Out.Writer)
}

// ErrorObject converts an error for JSON.
func (a *App) ErrorObject(err error) *question.Error {
	j := question.ErrorOf(err)
	j.Message = a.Unspool(j.Message)
	return j
}

// PrintValueChanges prints how the values of two files differ, each line with an indent.
func (a *App) PrintValueChanges(indent string, changes []archive.ValueChange) {
	for _, c := range changes {
		switch {
		case c.Kind == question.Moved && c.Old == "": // a file with a new name
			fmt.Fprintf(a.Out, "%s%-8s %s -> %s\n", indent, c.Kind, Printable(c.Path), Printable(c.New))
		case c.Old == "" && c.New == "":
			fmt.Fprintf(a.Out, "%s%-8s %s\n", indent, c.Kind, Printable(c.Path))
		case c.Kind != archive.Added && c.Kind != archive.Removed:
			old, new := differing(c.Old, c.New)
			fmt.Fprintf(a.Out, "%s%-8s %s: %s -> %s\n", indent, c.Kind, Printable(c.Path), a.Paint(Bad, Printable(old)), a.Paint(Good, Printable(new)))
		default:
			fmt.Fprintf(a.Out, "%s%-8s %s: %s\n", indent, c.Kind, Printable(c.Path), Printable(c.Old+c.New))
		}
	}
}

// differing shortens two long texts to the place where they differ, with some context.
func differing(old, new string) (string, string) {
	const short, around = 80, 16
	if len(old) <= short && len(new) <= short {
		return old, new
	}
	x, y := []rune(old), []rune(new)
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	end := 0
	for end < len(x)-same && end < len(y)-same && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	from, after := max(same-around, 0), max(end-around, 0)
	cut := func(r []rune) string {
		text := string(r[from : len(r)-after])
		if from > 0 {
			text = "…" + text
		}
		if after > 0 {
			text += "…"
		}
		return text
	}
	return cut(x), cut(y)
}

// InFolder splits the failures of an extraction. It adds the archive's name to failures
// about an entry, and the folder to failures about a file.
func InFolder(name, dir string, err error) []error {
	if err == nil {
		return nil
	}
	if _, several := err.(interface{ Unwrap() []error }); !several {
		return []error{err} // about the folder itself
	}
	all := question.Leaves(err)
	for i, e := range all {
		all[i] = fault.InFile(e, name)
		// Operations of os.Root, such as openat, report paths relative to the folder;
		// operations on opened files report the whole path.
		if pe, ok := e.(*fs.PathError); ok && strings.HasSuffix(pe.Op, "at") {
			all[i] = &fs.PathError{Op: pe.Op, Path: filepath.Join(dir, pe.Path), Err: pe.Err}
		}
	}
	return all
}

// CatFile prints one open file and closes it.
func (a *App) CatFile(path, format string, f io.ReadCloser) error {
	defer f.Close()
	if !a.JSON {
		from := bufio.NewReader(f)
		if a.Out.Terminal {
			start, _ := from.Peek(from.Size()) // the copy will report the error
			if err := a.FitForTerminal(start); err != nil {
				return err
			}
		}
		_, err := bulk.Copy(a.Ctx, a.Out, from)
		return err
	}
	var content bytes.Buffer
	if _, err := bulk.Copy(a.Ctx, &content, f); err != nil {
		return err
	}
	data := content.Bytes()
	said, text := contentFields{Size: len(data)}, string(data)
	if utf8.Valid(data) {
		said.Text = &text
	} else {
		said.Base64 = base64.StdEncoding.EncodeToString(data)
	}
	return catReport.Print(a, path, format, said)
}

var catReport = NewReport[contentFields]("cat", "", "the content of a file")

type contentFields struct {
	Size   int     `json:"size" doc:"size of the file in bytes"`
	Text   *string `json:"text,omitempty" doc:"the content, if it is UTF-8"`
	Base64 string  `json:"base64,omitempty" doc:"the content in base64, if it is not UTF-8"`
}

// Verdict prints the result of a check of a file in one line. The colour shows whether it
// is good.
func (a *App) Verdict(name, colour, verdict string) {
	fmt.Fprintf(a.Out, "%s: %s\n", Printable(name), a.Paint(colour, verdict))
}

// Findings prints the reasons for a verdict below it, without repeating the file's name.
func (a *App) Findings(list []finding.Finding) {
	for _, f := range list {
		where := ""
		if f.Entry != "" {
			where = Printable(f.Entry) + ": "
		}
		colour := Doubt
		if f.Severity == finding.Error {
			colour = Bad
		}
		fmt.Fprintf(a.Out, "  %s%s: %s (%s)\n", where, a.Paint(colour, string(f.Severity)), Printable(f.Message), f.Rule)
	}
}
