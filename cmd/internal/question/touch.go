package question

import (
	"pakbox/fault"
	"pakbox/finding"
)

// Touch is what the work of a question may touch on the disk. A question declares it,
// 'pakbox schema' shows it, and package frontendtest compares it with what every front end
// really touched.
type Touch string

// The values of Touch.
const (
	// Nothing is for questions that only read.
	Nothing Touch = "nothing"
	// NamedFile is for changes: the file at the path is replaced in one step, or another
	// file is written that the asker names.
	NamedFile Touch = "file"
	// NewFile is for questions whose answer is a file, which the asker saves where he
	// likes.
	NewFile Touch = "new file"
	// NewFiles is for questions whose answer can be several files, which the asker saves in
	// a folder. Programs of other languages get them as a zip.
	NewFiles Touch = "new files"
)

// Sentence describes what may be touched.
func (t Touch) Sentence() string {
	switch t {
	case NamedFile:
		return "replaces the file that is named, or writes the new file that is named"
	case NewFile:
		return "writes the new file that is named"
	case NewFiles:
		return "writes the new file that is named, or new files into the folder that is named"
	}
	return "writes nothing"
}

// Touches returns what the work of the question may touch.
func (q *Question) Touches() Touch {
	switch {
	case q.touch != "":
		return q.touch
	case q.Change:
		return NamedFile
	case q.IsFile():
		return NewFile
	}
	return Nothing
}

// Touching declares what the work of the question may touch, if it is not what follows
// from the type of its answer.
func (q *Typed[P, A]) Touching(t Touch) *Typed[P, A] {
	q.touch = t
	return q
}

// Rejected is the error of a question whose input has mistakes, so that no file was made.
type Rejected struct {
	Report any          // a struct with fields for the JSON of the command
	Cause  *fault.Error // the first mistake; its hints are about the others
}

func (r *Rejected) Error() string { return r.Cause.Error() }

// Unwrap returns the error without the report.
func (r *Rejected) Unwrap() error { return r.Cause }

// Reject makes the error about findings, of which at least one is an error.
func Reject(report any, list []finding.Finding) error {
	var cause *fault.Error
	for _, f := range list {
		switch {
		case f.Severity != finding.Error:
		case cause == nil:
			cause = fault.At(fault.Corrupt, fault.NoOffset, f.Field, "%s", f.Message)
			cause.Path, cause.Entry = f.File, f.Entry
			if f.Suggestion != "" {
				cause = cause.Hint("%s", f.Suggestion)
			}
		default:
			cause = cause.Hint("%s", f.String())
		}
	}
	return &Rejected{report, cause}
}
