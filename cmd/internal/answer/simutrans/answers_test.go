package simutrans

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/asked"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// Every question about paksets, and what it answers about the samples of the project.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "set"), os.DirFS("../../../../samples/simutrans")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "two"), os.DirFS("../../../../samples/simutrans")); err != nil {
		t.Fatal(err)
	}
	tram, err := os.ReadFile(filepath.Join(dir, "set/vehicle.Sample_Tram.pak"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"bad/cut.pak": tram[:len(tram)/2], "text.txt": []byte("text"), "none/text.txt": nil} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	all := &node.File{}
	for i, name := range []string{"vehicle.Sample_Tram.pak", "tree.Sample_Fir.pak"} {
		data, err := os.ReadFile(filepath.Join(dir, "set", name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			all = f
			continue
		}
		all.Root.Children = append(all.Root.Children, f.Root.Children...)
	}
	var b bytes.Buffer
	if _, err := all.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "all.pak"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	opener := source.NewOpener(pakbox.Formats())
	asked.Check(t, Questions(), "testdata/answers.txt", dir, func(path string) *question.At {
		return &question.At{Path: path, Opener: opener, Host: question.Local{Limited: strings.HasPrefix(path, "two")}}
	})
}

// The colours of the player and the light are those that were asked for.
func TestPictureColours(t *testing.T) {
	opener := source.NewOpener(pakbox.Formats())
	draw := func(p drawParams) string {
		f, err := SimutransPicture.Ask(t.Context(), &question.At{Path: "../../../../samples/simutrans/vehicle.Sample_Tram.pak", Opener: opener}, p)
		if err != nil {
			t.Fatal(err)
		}
		return string(f.Data)
	}
	seen := map[string]string{}
	for name, p := range map[string]drawParams{"plain": {}, "player1": {Player1: "ff0000"}, "night": {Night: true}} {
		data := draw(p)
		if other := seen[data]; other != "" {
			t.Errorf("%s is drawn as %s", name, other)
		}
		seen[data] = name
	}
	if draw(drawParams{Player1: "ff0000"}) == draw(drawParams{Player1: "00ff00"}) {
		t.Error("the player's colour does not matter")
	}
}

// A table has a line for each object; a finding is a row with the columns of the page.
func TestRows(t *testing.T) {
	opener := source.NewOpener(pakbox.Formats())
	at := &question.At{Path: "../../../../samples/simutrans", Opener: opener}
	table, err := TableQuestions["goods"].Ask(t.Context(), at, question.NoParams{})
	if err != nil || len(table.Parts()) != 1 || table.Parts()[0] != any(table.Objects[0]) {
		t.Errorf("table = %v err = %v; want no error, table.Parts() of length 1, table.Parts()[0] = any(table.Objects[0])", table, err)
	}
	row := question.FindingRow(finding.Finding{Position: finding.Position{File: "f", Entry: "e"}, Severity: finding.Error, Rule: "r", Message: "m", Suggestion: "s"})
	var got []string
	for _, v := range row {
		got = append(got, v.Name+"="+v.Text())
	}
	if want := "file=f object=e severity=error rule=r message=m suggestion=s"; strings.Join(got, " ") != want {
		t.Errorf(`got = %s; want strings.Join(got, " ") = %v`, got, want)
	}
	set, err := SimutransCheck.Ask(t.Context(), at, checkParams{More: []string{"../../../../samples/simutrans/tree.Sample_Fir.pak"}})
	if err != nil || len(set.Paths) != 2 || set.Worst != finding.Error {
		t.Errorf("set = %+v err = %v; want no error, set.Paths of length 2, set.Worst = finding.Error", set, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"tree.dat", "tree.png"} {
		data, err := os.ReadFile(filepath.Join(at.Path, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compiler, err := compile.NewCompiler("", 32)
	if err != nil {
		t.Fatal(err)
	}
	of := &question.At{Path: dir, Opener: opener}
	if _, err := SimutransCheck.Ask(t.Context(), of, checkParams{}); !errors.Is(err, fault.NotFormat) {
		t.Errorf("sources alone, and nobody compiles them: %v", err)
	}
	if set, err := SimutransCheck.Ask(t.Context(), of, checkParams{Source: compiler}); err != nil || set.Objects != 1 || of.Format != "simutrans" {
		t.Errorf(`set = %+v err = %v; want no error, set.Objects = 1, of.Format = "simutrans"`, set, err)
	}
}
