package answer_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/asked"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// Every question about files of any kind, and what it answers. The questions of the rooms
// below have their own.
func TestAnswers(t *testing.T) {
	dir := asked.Files(t)
	for name, text := range map[string]string{"a/one.txt": "Hello\nhello again\n", "a/sub/two.txt": "two\n", "b/one.txt": "Hello\nhello once\n", "b/three.txt": "three\n", "empty.vpk": ""} {
		t.Run(name, func(t *testing.T) {
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, name := range []string{"a/one.txt", "a/sub/two.txt"} { // lists contain the times
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Unix(1800000000, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for name, sample := range map[string]string{
		"hello.vpk": "hello.vpk", "damaged.vpk": "hello.vpk", "hello.eix": "hello.eix", "hello.epk": "hello.epk", "Sample.Pack.Gbx": "Sample.Pack.Gbx",
		"Sample.Mesh.Gbx": "trackmania/Sample.Mesh.Gbx", "Sample.Item.Gbx": "trackmania/Sample.Item.Gbx", "Other.Map.Gbx": "trackmania/Sample.Map.Gbx",
		"tram.pak": "simutrans/vehicle.Sample_Tram.pak", "tree.pak": "simutrans/tree.Sample_Fir.pak",
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../../samples", sample))
			if err != nil {
				t.Fatal(err)
			}
			if name == "damaged.vpk" {
				data[4096+9] ^= 1 // in item_names.txt
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	var own []*question.Question
	for _, q := range answer.Questions() {
		if slices.Contains(strings.Fields("class convert diff formats grep info ls member mesh mesh.file mesh.picture query dump get verify put rm mv set"), q.Name) {
			own = append(own, q)
		}
	}
	asked.Check(t, own, "testdata/answers.txt", dir, func(path string) *question.At {
		path, bounded := strings.CutPrefix(path, "bounded:")
		return &question.At{Path: path, Opener: source.NewOpener(pakbox.Formats()), Host: question.Local{Limited: bounded}}
	})
}
