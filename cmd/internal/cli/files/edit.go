package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/draft"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
	"pakbox/internal/lib/quote"
)

func editCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	cmd := &cobra.Command{
		Use:     "edit FILE [VALUE...]",
		GroupID: kit.GroupChange,
		Short:   "Change a file in an archive, or values of a file, in your editor",
		Long: `Edit opens a file inside an archive in the editor that VISUAL or EDITOR names,
and puts it back when the editor ends. With VALUEs it opens these values of FILE as a text, one line for each, and sets
those that you change. A VALUE is a path as for get and set, such as mapName.

The new content is checked before it is saved: if pakbox can check the file, and
the old content was sound, the new content must be sound too. --dry-run shows what would change.`,
		Example: `  pakbox edit game.vpk/docs/readme.txt
  pakbox edit A.Map.Gbx mapName comments
  pakbox edit --dry-run backup.zip/game.vpk/locale/en.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.JSON {
				return fault.Usagef("edit is for people; 'pakbox set' and 'pakbox put' have --json")
			}
			if len(args) > 1 {
				return editValues(a, args[0], args[1:], save)
			}
			return editFile(a, args[0], save)
		},
	}
	save.OneFlags(cmd, kit.AnotherFile)
	return cmd
}

// editFile opens a file inside an archive in the editor.
func editFile(a *kit.App, name string, o kit.Output) error {
	p, opts, err := a.Find(a.Ctx, name)
	if err != nil {
		return err
	}
	s := &source.Source{Archive: p.Archive, Path: name, Place: p, Opts: opts, Whole: true}
	defer s.Close()
	if p.Inner == "." || !source.IsFile(p) {
		return fault.Usagef("%s: is not a file in an archive", name).
			Hint("to change values: pakbox edit %s VALUE...; a text file needs no pakbox", quote.Word(name))
	}
	if err := source.CanEdit(s); err != nil { // before a person writes something
		return err
	}
	f, err := p.Open(p.Inner)
	if err != nil {
		return err
	}
	old, err := io.ReadAll(f)
	f.Close()
	if err != nil {
		return fault.InFile(err, name)
	}
	new, kept, err := edited(a, path.Base(p.Inner), old)
	if err != nil || new == nil {
		return err
	}
	if err := asSound(a, kept, path.Base(p.Inner), old); err != nil {
		return keptText(err, kept)
	}
	if o.DryRun {
		printLines(a, old, new)
		return os.RemoveAll(filepath.Dir(kept))
	}
	draft := draft.New(p.Archive)
	if err := draft.Put(archive.Item{Name: p.Inner, Size: int64(len(new)), ModTime: time.Now(),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(new)), nil }}); err != nil {
		return keptText(err, kept)
	}
	edits, err := draft.Edits()
	if err != nil {
		return keptText(err, kept)
	}
	for i := range edits {
		edits[i].RemoveMissing = true // the editor showed the complete table
	}
	r := &question.Revision{Source: s, Edits: edits, Done: func(path string) string {
		return fmt.Sprintf("saved %s: %d bytes (%+d)", path, len(new), len(new)-len(old))
	}}
	if _, err := r.Finish(a.Ctx); err != nil {
		return keptText(err, kept)
	}
	if err := a.SaveRevision(o, nil, a.At(name), r); err != nil {
		return keptText(err, kept)
	}
	return os.RemoveAll(filepath.Dir(kept))
}

// edited lets a person change a text in the editor. new is nil if nothing changed. kept
// is the path of the edited text; the caller removes its folder.
func edited(a *kit.App, base string, old []byte) (new []byte, kept string, err error) {
	if err := pathname.Check(base); err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "pakbox-edit-")
	if err != nil {
		return nil, "", err
	}
	kept = filepath.Join(dir, base)
	if err := os.WriteFile(kept, old, 0o600); err != nil {
		return nil, "", err
	}
	err = runEditor(a, kept)
	new, err2 := os.ReadFile(kept)
	if err != nil && bytes.Equal(old, new) { // nobody misses it, and it may be secret
		return nil, "", errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		return nil, "", keptText(err, kept)
	}
	if err = err2; err != nil {
		return nil, "", err
	}
	if bytes.Equal(old, new) {
		a.Note("nothing was changed")
		os.RemoveAll(dir)
		return nil, "", nil
	}
	return new, kept, nil
}

// runEditor opens a file in the user's editor and waits until it is closed.
func runEditor(a *kit.App, file string) error {
	editor := a.Env.Getenv("VISUAL")
	if editor == "" {
		editor = a.Env.Getenv("EDITOR")
	}
	if editor == "" {
		editor = "vi"
		if runtime.GOOS == "windows" {
			editor = "notepad"
		}
	}
	words := strings.Fields(editor)
	if len(words) == 0 {
		return fault.Usagef("the variables VISUAL and EDITOR name no editor")
	}
	cmd := exec.CommandContext(a.Ctx, words[0], append(words[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Env.Stdin, a.Env.Stdout, a.Err
	if err := cmd.Run(); err != nil {
		return fault.WithHint(fmt.Errorf("%s: %w", editor, err), "the variables VISUAL and EDITOR name the editor to use")
	}
	return nil
}

// asSound rejects edited content that pakbox recognises as broken, if the old content was
// not broken.
func asSound(a *kit.App, file, base string, old []byte) error {
	if len(a.Formats.ByPath(base)) == 0 {
		return nil
	}
	if _, err := a.Formats.Detect(archive.Input{ReaderAt: bytes.NewReader(old), Size: int64(len(old)), Name: base}); err != nil {
		return nil // the old content was not of the format that its name suggests
	}
	v, err := answer.FileVerify.Ask(a.Ctx, &question.At{Path: file, Opener: a.Opener}, question.NoParams{})
	if err == nil {
		err = v.Error
	}
	if err != nil {
		return err
	}
	if v.Report.Damaged() {
		a.Findings(v.Report.Findings)
		return errors.New("the written archive is damaged, and is not saved")
	}
	return nil
}

// keptText adds to an error where the unsaved text is.
func keptText(err error, kept string) error {
	return fault.WithHint(err, "nothing was changed; what you wrote is in %s", kept)
}

// printLines prints the lines in which two texts differ.
func printLines(a *kit.App, old, new []byte) {
	x, y := strings.Split(string(old), "\n"), strings.Split(string(new), "\n")
	same := 0
	for same < len(x) && same < len(y) && x[same] == y[same] {
		same++
	}
	for len(x) > same && len(y) > same && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	for _, line := range x[same:] {
		fmt.Fprintln(a.Out, a.Paint(kit.Bad, "- "+kit.Printable(line)))
	}
	for _, line := range y[same:] {
		fmt.Fprintln(a.Out, a.Paint(kit.Good, "+ "+kit.Printable(line)))
	}
}

// editValues opens values of a file in the editor, one per line.
func editValues(a *kit.App, file string, paths []string, o kit.Output) error {
	params := answer.FileGet.NewParams()
	params.Paths = paths
	got, err := answer.FileGet.Ask(a.Ctx, a.At(file), params)
	if err != nil {
		return err
	}
	texts := got.Texts
	var text strings.Builder
	for i, path := range paths {
		if strings.ContainsAny(texts[i], "\r\n") {
			return fault.Usagef("%s: has several lines, and is not to be edited as one", path)
		}
		fmt.Fprintf(&text, "%s=%s\n", path, texts[i])
	}
	new, kept, err := edited(a, kit.BaseName(file)+".txt", []byte(text.String()))
	if err != nil || new == nil {
		return err
	}
	assignments, err := changedLines(paths, texts, string(new))
	if err == nil && len(assignments) > 0 {
		err = kit.ChangeOne(a, o, file, answer.Set, answer.SetParams{Values: assignments}, showBytes)
	}
	if err != nil {
		return keptText(err, kept)
	}
	return os.RemoveAll(filepath.Dir(kept))
}

// changedLines reads edited values back.
func changedLines(paths, texts []string, edited string) (list []string, err error) {
	old := map[string]string{}
	for i, path := range paths {
		old[path] = texts[i]
	}
	for line := range strings.Lines(edited) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		path, value, ok := strings.Cut(line, "=")
		was, known := old[path]
		if !ok || !known {
			return nil, fault.Usagef("%q is not a line of the form PATH=VALUE with one of the paths", line)
		}
		if value != was {
			list = append(list, line)
		}
	}
	return list, nil
}
