package importer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items/importer"
)

// solidOf is the mesh of a static item.
func solidOf(t *testing.T, f *gbx.File) *plug.Chunk090BB000 {
	t.Helper()
	item, _ := gbx.Find[*gamedata.Chunk2E002019](f.Body)
	entity, ok := gbx.Find[*gamedata.Chunk2E027000](item.EntityModel.Node)
	if !ok {
		t.Fatal("the item has no entity")
	}
	object, _ := gbx.Find[*plug.Plain09159000](entity.StaticObject.Node)
	solid, ok := gbx.Find[*plug.Chunk090BB000](object.Mesh.Node)
	if !ok {
		t.Fatal("the item has no solid")
	}
	return solid
}

// NadeoStairs: from its FBX and its XML files the item of Nadeo's importer is made
// again, byte for byte. Only the time and the command that it notes are taken over.
func TestNadeoStairs(t *testing.T) {
	dir := corpus.Dir(t, "importer")
	data, err := os.ReadFile(filepath.Join(dir, "NadeoStairs.Item.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	noted := solidOf(t, want)
	const from1601 = 11644473600
	made := time.Unix(int64(noted.FileWriteTime/1e7)-from1601, int64(noted.FileWriteTime%1e7)*100)
	r, err := importer.Import(t.Context(), filepath.Join(dir, "NadeoStairs.Item.xml"), importer.Options{Source: noted.U05, Time: made})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Problems {
		t.Errorf("problem %v; want none", p)
	}
	if r.Model == nil {
		t.Fatal("no item")
	}
	out, err := r.Model.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := gbx.Parse(out, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	wantBody, gotBody := want.BodyBytes(), got.BodyBytes()
	if !bytes.Equal(wantBody, gotBody) {
		for i := range min(len(wantBody), len(gotBody)) {
			if wantBody[i] != gotBody[i] {
				t.Fatalf("bodies of %d and %d bytes differ from byte %d on: % x, want % x", len(gotBody), len(wantBody), i,
					gotBody[i:min(i+16, len(gotBody))], wantBody[i:min(i+16, len(wantBody))])
			}
		}
		t.Fatalf("bodies have %d bytes, want %d", len(gotBody), len(wantBody))
	}
	header := func(f *gbx.File) []byte {
		data, err := f.EncodeHeader()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(header(want), header(got)) {
		t.Errorf("the headers differ")
	}
}

// The shape of the stairs is what another program writes that was held against the
// importer, byte for byte.
func TestShape(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"NadeoStairs.fbx", "NadeoStairs.MeshParams.xml"} {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "importer"), name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := importer.ImportMesh(t.Context(), filepath.Join(dir, "NadeoStairs.fbx"), importer.Options{})
	if err != nil || len(r.Files) != 2 || len(r.Problems) > 0 {
		t.Fatalf("err = %v, r = %v; want no error, r.Files of length 2, len(r.Problems) at most 0", err, r)
	}
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "0900c000", "f1afb8cde588.Shape.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Files[1].GBX.EncodeBody()
	if err != nil || r.Files[1].Name != "NadeoStairs.Shape.gbx" || !bytes.Equal(got, want.BodyBytes()) {
		t.Errorf("%s has %d bytes that differ: %v", r.Files[1].Name, len(got), err)
	}
}
