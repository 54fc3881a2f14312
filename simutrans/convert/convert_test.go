package convert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/convert"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func read(t *testing.T, path string) *node.Node {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := node.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f.Root.Children[0]
}

// Up loses nothing, and down again gives the same object.
func TestUpAndDownAgain(t *testing.T) {
	changed := 0
	for i, path := range corpus.Files(t, corpus.Pak64(t), "*.pak") {
		if i%7 != 0 {
			continue
		}
		before := read(t, path)
		up, losses, err := convert.Object(before, convert.Options{Target: "60.12"})
		if err != nil || len(losses) > 0 {
			t.Errorf("%s: losses = %v err = %v; want no error, len(losses) at most 0", filepath.Base(path), losses, err)
			continue
		}
		if up.Equal(before) {
			continue
		}
		changed++
		down, losses, err := convert.Object(up, convert.Options{Target: "60.6", Versions: "BUIL=9 FACT=4"})
		if err != nil || len(losses) > 0 {
			t.Errorf("%s down: %v %v", filepath.Base(path), losses, err)
		} else if !down.Equal(before) {
			t.Errorf("%s is not the same after going up and down", filepath.Base(path))
		}
	}
	if changed == 0 {
		t.Error("nothing was converted")
	}
}

func TestLossesAreReported(t *testing.T) {
	n := read(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak", "pak128-mo60.12__roadsign.one_way_signal_monorail.pak"))
	_, losses, err := convert.Object(n, convert.Options{Target: "60.6"})
	if err != nil {
		t.Fatal(err)
	}
	if len(losses) != 1 || losses[0].String() != "roadsign: maintenance (40.00) is dropped" {
		t.Errorf(`losses = %v; want losses of length 1, losses[0].String() = "roadsign: maintenance (40.00) is dropped"`, losses)
	}
	d, _ := object.Decode(n)
	if err := d.Set("price", "10000000000"); err != nil {
		t.Fatal(err)
	}
	n.Body, _ = d.Encode()
	_, losses, err = convert.Object(n, convert.Options{Target: "60.6"})
	if err != nil || len(losses) != 2 || !strings.Contains(losses[0].String(), "price changes from 10000000000.00") {
		t.Errorf(`losses = %v err = %v; want no error, losses of length 2, losses[0].String() with "price changes from 10000000000.00"`, losses, err)
	}
}
