package question

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Hints returns advice for the user about an error.
func Hints(err error) []string {
	if hints := fault.Hints(err); len(hints) > 0 || IsUsage(err) {
		return hints
	}
	switch {
	case errors.Is(err, fault.PassphraseRequired):
		return []string{"give the passphrase with --passphrase-file FILE or PAKBOX_PASSPHRASE, or run pakbox on a terminal to be asked"}
	case errors.Is(err, fault.KeyRequired):
		return []string{"give the key with --keys FILE or PAKBOX_KEYS; see 'pakbox help keys'"}
	case errors.Is(err, fault.WrongKey):
		return []string{"keys come from --keys FILE or PAKBOX_KEYS, see 'pakbox help keys'; a wrong letter in one looks the same as damage"}
	case errors.Is(err, fault.Pointer):
		return []string{"fetch the file with 'git lfs pull' in its repository, or download it from the site that holds it"}
	case errors.Is(err, fault.HMACMismatch):
		return []string{"try the passphrase again first: a wrong letter in it looks the same as damage"}
	case errors.Is(err, fault.Truncated):
		return []string{"the file ends too early: copy or download it again"}
	case errors.Is(err, fault.NotFormat) && isLonePack(err):
		return []string{"an .epk has no directory of its own: put the .eix that belongs to it beside it"}
	case errors.Is(err, fault.NotFormat):
		return []string{"'pakbox help formats' lists what pakbox can open"}
	case errors.Is(err, fault.UnsupportedVersion):
		return []string{"'pakbox help formats' lists what this pakbox can open; a newer one may know more"}
	}
	var e *fault.Error
	if errors.As(fault.System(err), &e) && errors.Is(e, fault.Access) {
		return systemHints(e)
	}
	return nil
}

// isLonePack reports whether an error is about the data of a Metin2 pack whose index is not
// beside it. Such data may begin like anything.
func isLonePack(err error) bool {
	var e *fault.Error
	if !errors.As(err, &e) || !strings.EqualFold(path.Ext(e.Path), ".epk") {
		return false
	}
	stem := strings.TrimSuffix(e.Path, path.Ext(e.Path))
	return !source.Exists(stem+".eix") && !source.Exists(stem+".EIX")
}

// systemHints returns advice about an operation that the system refused.
func systemHints(err *fault.Error) []string {
	name := err.Path
	switch {
	case errors.Is(err, fs.ErrExist):
		return []string{"--force replaces what exists"}
	case errors.Is(err, fs.ErrPermission):
		return []string{permissionHint(runtime.GOOS)}
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(name, `\`) && source.Exists(strings.ReplaceAll(name, `\`, "/")):
		return []string{fmt.Sprintf("folders are separated by slashes here: %s", strings.ReplaceAll(name, `\`, "/"))}
	case errors.Is(err, fs.ErrNotExist) && source.ThroughFile(source.Slashed(name)):
		file := source.Outermost(name)
		return []string{fmt.Sprintf("to see what %s holds: pakbox ls %s", file, quote.Word(file))}
	case errors.Is(err, fs.ErrNotExist) && source.Exists(name+".eix"): // people name packs without it
		return []string{fmt.Sprintf("there is %s.eix", name)}
	}
	return nil
}

// permissionHint returns advice about a file that may not be read or written. Windows also
// denies access to a file that another program has open.
func permissionHint(system string) string {
	if system == "windows" {
		return "close the program that has it open, choose a place that is yours, or ask its owner for permission"
	}
	return "choose a place that is yours, or ask its owner for permission"
}

// InFile adds the file to an error about the path of a value. All other errors already
// name their file.
func InFile(err error, file string) error {
	var value *archive.ValueError
	if !errors.As(err, &value) {
		return err
	}
	err = fmt.Errorf("%s: %w", file, err)
	switch {
	case len(value.Near) > 0:
		return fault.WithHint(err, "did you mean %s?", OrList(value.Near))
	case value.Rename:
		return fault.WithHint(err, "to rename it: pakbox mv %s OBJECT NEWNAME", quote.Word(file))
	case value.Missing && strings.Trim(value.Path, "0123456789") == "": // a record of a table, which no dump shows
		return fault.WithHint(err, "to see all records: pakbox ls %s", quote.Word(file))
	case value.Missing && strings.HasSuffix(strings.ToLower(file), ".gbx") && !strings.HasPrefix(value.Path, "header.") && !strings.HasPrefix(value.Path, "body."):
		return fault.WithHint(err, "to see the names of all values: pakbox dump %s; the facts are in 'pakbox info', and commands such as 'pakbox map medals' change them", quote.Word(file))
	case value.Missing:
		return fault.WithHint(err, "to see the names of all values: pakbox dump %s", quote.Word(file))
	}
	return err
}
