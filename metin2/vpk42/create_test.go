package vpk42_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/metin2/vpk42"
)

// TestCreate makes archives as a program does: through the registry, a stage
// and settings given as text.
func TestCreate(t *testing.T) {
	registry := archive.Registry{vpk42.Format{}}
	opts := archive.CreateOptions{
		Options: withPassphrase("x"),
		Params: map[string]string{"vpk-version": "2", "algorithm": "zstd", "level": "9", "encrypt": "true",
			"mangle": "true", "author": "me", "comment": "text"},
	}
	for _, o := range []archive.CreateOptions{{}, opts, {Params: map[string]string{"level": "fast"}}} {
		path := filepath.Join(t.TempDir(), "x.VPK")
		formats := registry.ByPath(path)
		if len(formats) != 1 {
			t.Fatalf("%d formats", len(formats))
		}
		format := formats[0]
		stage, err := archive.NewStage(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := format.(archive.Creator).Create(context.Background(), stage, samples(), o); err != nil {
			t.Fatal(err)
		}
		if err := stage.Commit(); err != nil {
			t.Fatal(err)
		}
		in, closer, err := archive.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		a, err := registry.Open(context.Background(), in, o.Options)
		if err != nil {
			t.Fatal(err)
		}
		checkItemsStored(t, a, samples())
		verifyClean(t, a)
		h := a.(*vpk42.Archive).Header()
		switch {
		case o.Params == nil:
			if h.Version != 1 || h.CompressionLevel != 3 || h.IsEncrypted {
				t.Errorf("the defaults give %+v", h)
			}
		case o.Params["level"] == "fast":
			if h.CompressionLevel != 1 {
				t.Errorf("fast is stored as level %d", h.CompressionLevel)
			}
		default:
			if h.Version != 2 || h.CompressionAlgorithm != vpk42.Zstandard || h.CompressionLevel != 9 ||
				!h.IsEncrypted || !h.FileNamesMangled || h.Author != "me" || h.Comment != "text" {
				t.Errorf("the settings give %+v", h)
			}
		}
	}
}

func TestBadParams(t *testing.T) {
	for name, value := range map[string]string{
		"vpk-version": "3", "algorithm": "lzma", "level": "13", "encrypt": "perhaps", "mangle": "2",
	} {
		t.Run(name, func(t *testing.T) {
			stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.vpk"), false)
			if err != nil {
				t.Fatal(err)
			}
			err = vpk42.Format{}.Create(context.Background(), stage, nil, archive.CreateOptions{Params: map[string]string{name: value}})
			var bad *archive.ParamError
			if !errors.As(err, &bad) || bad.Name != name || bad.Value != value {
				t.Errorf("name = %s=value = %s: err = %v; want err of the type of bad, bad.Name = %v, bad.Value = %v", name, value, err, name, value)
			}
			stage.Abort()
		})
	}
}
