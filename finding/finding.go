// Package finding has the type of one result of a check. Verification, the lint of maps,
// the check of paksets and the compiler of Simutrans sources all report in this one type,
// so that a command, a page and a row of the index show all of them alike.
//
// A finding is not an error: the check continues. An error that stops work is a
// [fault.Error]; [Of] turns it into a finding.
package finding

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pakbox/fault"
)

// Severity is how bad a [Finding] is.
type Severity string

const (
	// Error is something wrong: the check fails.
	Error Severity = "error"
	// Warning is something that works but should be different.
	Warning Severity = "warning"
	// Note is worth knowing and needs no repair.
	Note Severity = "note"
)

// Rank orders severities, the worst first.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Position is where something was found. Only known fields are set.
type Position struct {
	File   string // path as the caller gave it; "" if the caller knows it anyway
	Entry  string // the entry of an archive, the object of a pakset
	Line   int    // line of a text, from 1; 0 for none
	Offset int64  // offset of the byte; fault.NoOffset for none
	Field  string // name of the value in the format
}

// Nowhere is the place of a finding about the whole file.
var Nowhere = Position{Offset: fault.NoOffset}

// In is the place of a finding about a whole entry.
func In(entry string) Position { return Position{Entry: entry, Offset: fault.NoOffset} }

// Finding is one thing that a check noticed.
type Finding struct {
	Severity Severity
	// Rule is the kind in lower_snake_case: the kind of a fault ("crc_mismatch") or
	// the rule of the check ("medal_order").
	Rule string
	Position
	Message    string // one sentence
	Suggestion string // how to repair it, if that is known
}

// New returns a finding with a formatted message.
func New(severity Severity, rule string, at Position, format string, args ...any) Finding {
	return Finding{Severity: severity, Rule: rule, Position: at, Message: fmt.Sprintf(format, args...)}
}

// Of turns an error into a finding. An error that is not a fault counts as damage of the
// file.
func Of(severity Severity, err error) Finding {
	var e *fault.Error
	if !errors.As(err, &e) {
		return New(severity, string(fault.Corrupt), Nowhere, "%v", err)
	}
	at := Position{Entry: e.Entry, Offset: e.Offset, Field: e.Field}
	return Finding{Severity: severity, Rule: string(e.Kind), Position: at, Message: e.Detail()}
}

// SeverityOf returns the severity of an error that stopped a check: a warning if the file
// may still be right, otherwise an error. A wrong key is an error.
func SeverityOf(err error) Severity {
	if Unknown(err) && fault.KindOf(err) != fault.WrongKey {
		return Warning
	}
	return Error
}

// Unknown reports whether the file may be right in spite of the error: pakbox lacks a key
// or an algorithm, or stopped at a limit.
func Unknown(err error) bool {
	switch fault.KindOf(err).Class() {
	case fault.Key, fault.Unsupported, fault.Limit:
		return true
	}
	return false
}

// Worst is the severity of the worst finding, or "" for an empty list.
func Worst(list []Finding) Severity {
	worst := Severity("")
	for _, f := range list {
		if worst == "" || f.Severity.Rank() < worst.Rank() {
			worst = f.Severity
		}
	}
	return worst
}

// String renders a finding on one line as compilers do, so that editors find
// the place:
//
//	rail/e10.dat:12: error: waytype: unknown way type "trakc" (did you mean track?)
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	subject := f.Field
	if subject == "" {
		subject = f.Rule
	}
	fmt.Fprintf(&b, ": %s: %s: %s", f.Severity, subject, f.Message)
	if f.Suggestion != "" {
		b.WriteString(" (" + f.Suggestion + ")")
	}
	return b.String()
}

// findingJSON is a finding in JSON. The rule occurs twice: as "rule", and as "kind" for
// older scripts.
type findingJSON struct {
	Severity   Severity `json:"severity"`
	Kind       string   `json:"kind"`
	Rule       string   `json:"rule"`
	Message    string   `json:"message"`
	File       string   `json:"file,omitempty"`
	Entry      *string  `json:"entry"`
	Offset     *int64   `json:"offset"`
	Line       int      `json:"line,omitempty"`
	Field      string   `json:"field,omitempty"`
	Suggestion string   `json:"suggestion,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (f Finding) MarshalJSON() ([]byte, error) {
	j := findingJSON{Severity: f.Severity, Kind: f.Rule, Rule: f.Rule, Message: f.Message,
		File: f.File, Line: f.Line, Field: f.Field, Suggestion: f.Suggestion}
	if f.Entry != "" {
		j.Entry = &f.Entry
	}
	if f.Offset >= 0 {
		j.Offset = &f.Offset
	}
	return json.Marshal(j)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var j findingJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	at := Position{File: j.File, Line: j.Line, Field: j.Field, Offset: fault.NoOffset}
	if j.Entry != nil {
		at.Entry = *j.Entry
	}
	if j.Offset != nil {
		at.Offset = *j.Offset
	}
	*f = Finding{Severity: j.Severity, Rule: j.Rule, Position: at, Message: j.Message, Suggestion: j.Suggestion}
	return nil
}
