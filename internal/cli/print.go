package cli

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// print writes one object as one line.
func (a *app) print(o *object) error {
	a.meter.hide()
	return o.write(a.out.Writer)
}

// errorObject is an error as JSON has it.
func (a *app) errorObject(err error) *errorJSON {
	j := errorOf(err)
	j.Message = a.unspool(j.Message)
	return j
}

// printValueChanges prints how the values of two files differ.
func (a *app) printValueChanges(changes []archive.ValueChange) {
	for _, c := range changes {
		if c.Kind == archive.Changed {
			fmt.Fprintf(a.out, "%-8s %s: %s -> %s\n", c.Kind, printable(c.Path), printable(c.Old), printable(c.New))
		} else {
			fmt.Fprintf(a.out, "%-8s %s: %s\n", c.Kind, printable(c.Path), printable(c.Old+c.New))
		}
	}
}

// addFailures adds what could not be extracted.
func (a *app) addFailures(o *object, failures []error) *object {
	objects := make([]*errorJSON, len(failures))
	for i, e := range failures {
		objects[i] = a.errorObject(e)
	}
	o.add("failures", objects)
	if len(failures) > 0 {
		o.add("error", objects[0])
	}
	return o
}

// inFolder takes the failures of extraction apart and makes those that name
// an entry name it with its archive, those that name a file with the folder.
func inFolder(name, dir string, err error) []error {
	if err == nil {
		return nil
	}
	if _, several := err.(interface{ Unwrap() []error }); !several {
		return []error{err} // of the folder itself
	}
	all := leaves(err)
	for i, e := range all {
		all[i] = fault.InFile(e, name)
		// Operations of os.Root, such as openat, name what is in the folder; those
		// of the files opened there name it with the folder.
		if pe, ok := e.(*fs.PathError); ok && strings.HasSuffix(pe.Op, "at") {
			all[i] = &fs.PathError{Op: pe.Op, Path: filepath.Join(dir, pe.Path), Err: pe.Err}
		}
	}
	return all
}

// catFile prints one open file and closes it.
func (a *app) catFile(path, format string, f io.ReadCloser) error {
	defer f.Close()
	if !a.json {
		_, err := bulk.Copy(a.ctx, a.out, f)
		return err
	}
	var content bytes.Buffer
	if _, err := bulk.Copy(a.ctx, &content, f); err != nil {
		return err
	}
	data := content.Bytes()
	o := newObject("cat", path, format).add("size", len(data))
	if utf8.Valid(data) {
		return a.print(o.add("text", string(data)))
	}
	return a.print(o.add("base64", base64.StdEncoding.EncodeToString(data)))
}
