package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/nadeo/items/importer"
)

// A file of a stranger must not make the import read files elsewhere, neither by its path nor
// through a link. The folder Work of the game is open to all items in it.
func TestImportReadsNothingOutside(t *testing.T) {
	base := t.TempDir()
	secret := filepath.Join(base, "secret.xml")
	work := filepath.Join(base, "Work")
	for path, text := range map[string]string{
		secret:                                         "<Secret/>",
		filepath.Join(base, "dl/A.Item.xml"):           strings.Replace(gateItem, "Gate.MeshParams.xml", `..\secret.xml`, 1),
		filepath.Join(base, "dl/B.Item.xml"):           strings.Replace(gateItem, "Gate.MeshParams.xml", "link.xml", 1),
		filepath.Join(base, "dl/C.Item.xml"):           gateItem,
		filepath.Join(base, "dl/Gate.MeshParams.xml"):  strings.Replace(gateParams, "gate.gltf", "../secret.xml", 1),
		filepath.Join(work, "Items/Sub/D.Item.xml"):    strings.Replace(gateItem, "Gate.MeshParams.xml", "../../Shared/D.MeshParams.xml", 1),
		filepath.Join(work, "Shared/D.MeshParams.xml"): "<Other/>",
	} {
		t.Run(path, func(t *testing.T) {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.Symlink(secret, filepath.Join(base, "dl/link.xml")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"dl/A.Item.xml": "is outside of the folder", "dl/B.Item.xml": "is outside of the folder", "dl/C.Item.xml": "is outside of the folder",
		"Work/Items/Sub/D.Item.xml": "first element is Other",
	} {
		t.Run(name, func(t *testing.T) {
			r, err := importer.Import(t.Context(), filepath.Join(base, name), importer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range r.Problems {
				got = append(got, p.Message)
			}
			if text := strings.Join(got, "; "); !strings.Contains(text, want) || strings.Contains(text, "Secret") {
				t.Errorf("Import reported %q, want %q", text, want)
			}
		})
	}
}
