// Package importer makes items from the files that Nadeo's importer reads: an XML file
// about the item, one about its mesh, the mesh as FBX or glTF, and an icon. It reports
// all problems at once.
package importer

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx/mesh/fbx"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/lib/regular"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/static"
)

// Options choose the game, and the notes in the item about how it was made.
type Options struct {
	// Game is the game for a mesh: Trackmania2020 if empty, or ManiaPlanet4. For an item
	// it follows from the XML file: only items of ManiaPlanet name the file of their
	// mesh.
	Game nadeo.Generation
	// Crystal makes an item that the game's item editor can edit, also for ManiaPlanet4,
	// instead of a static object.
	Crystal bool
	Source  string    // the program that made the item
	Time    time.Time // time of making; if empty, the time of the mesh file
}

// game returns the game for a crystal. Static objects are always for Trackmania.
func (o *Options) game() nadeo.Generation {
	if o.Crystal && o.Game != "" {
		return o.Game
	}
	return nadeo.Trackmania2020
}

// Result is a new item, or the problems that prevented it.
type Result struct {
	Model    *items.Model // nil if a problem is an error
	Problems []finding.Finding
	Mesh     string // the file of the mesh
	// MadeFor is the game of the item, ManiaPlanet4 or Trackmania2020.
	MadeFor nadeo.Generation
	// Unlinked are the materials of the mesh for which no material of the game is known; ""
	// stands for faces without a material.
	Unlinked []string
}

// Failed reports whether a problem is an error.
func (r *Result) Failed() bool { return finding.Worst(r.Problems) == finding.Error }

// work is the state of an import.
type work struct {
	Options
	Result
	item   *itemxml.Item
	params *itemxml.MeshParams
	scene  *model.Scene
	root   string // the folder that files named by other files must be in; "" for any
}

// say records a problem.
func (w *work) say(severity finding.Severity, file string, line int, object, suggestion, format string, args ...any) {
	one := finding.New(severity, itemxml.Rule, finding.Position{File: file, Line: line, Entry: object, Offset: fault.NoOffset}, format, args...)
	one.Suggestion = suggestion
	w.Problems = append(w.Problems, one)
}

// Import makes the item that the file Name.Item.xml describes. Problems in the files are
// in the result. An error is something else, such as a cancelled context.
func Import(ctx context.Context, path string, o Options) (*Result, error) {
	w := &work{Options: o, Result: Result{MadeFor: o.game()}}
	if err := w.read(path); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.item == nil || w.params == nil || w.scene == nil {
		return &w.Result, nil
	}
	if w.Crystal {
		w.addLayers()
	}
	if made := w.assemble(); !w.Failed() {
		w.make(made)
	}
	return &w.Result, nil
}

// read reads the XML files and the mesh.
func (w *work) read(path string) error {
	w.root = workFolder(path)
	data, ok, err := w.open(path, "", 0, "write the path of a file Name.Item.xml")
	if err != nil || !ok {
		return err
	}
	var found []finding.Finding
	w.item, found = itemxml.ReadItem(path, data)
	if w.Problems = append(w.Problems, found...); w.item == nil {
		return nil
	}
	if w.item.Mesh != "" && w.item.MeshParamsLink == "" {
		return w.maniaPlanetItem()
	}
	return w.readMesh(w.meshParams(path), path, `write its name in <MeshParamsLink File="..."/>`)
}

// meshParams returns the path of the mesh parameters: the file that the item names, or
// the file with the item's name in the folder Mesh or beside the item.
func (w *work) meshParams(path string) string {
	folder, name := filepath.Dir(path), w.item.Name()+".MeshParams.xml"
	if w.item.MeshParamsLink != "" {
		return beside(folder, w.item.MeshParamsLink)
	}
	inMesh := beside(folder, "Mesh/"+name)
	if _, err := os.Stat(inMesh); err == nil {
		return inMesh
	}
	return beside(folder, name)
}

// readMesh reads the mesh parameters and the mesh. from is the file that refers to the
// parameters.
func (w *work) readMesh(path, from, suggestion string) error {
	data, ok, err := w.open(path, from, 1, suggestion)
	if err != nil || !ok {
		return err
	}
	var found []finding.Finding
	w.params, found = itemxml.ReadMeshParams(path, data)
	if w.Problems = append(w.Problems, found...); w.params == nil {
		return nil
	}
	w.Mesh = meshFile(w.params)
	data, ok, err = w.open(w.Mesh, path, 1, `write its name in <MeshParams FbxFile="...">`)
	if err != nil || !ok {
		return err
	}
	if info, err := os.Stat(w.Mesh); err == nil && w.Time.IsZero() {
		w.Time = info.ModTime()
	}
	if w.scene, err = readScene(w.Mesh, data); err != nil {
		w.say(finding.Error, w.Mesh, 0, "", "export the mesh again, as binary FBX or as glTF", "the mesh cannot be read: %v", err)
	}
	return nil
}

// meshFile returns the mesh file that the parameters name, or the file with the name of
// the parameters.
func meshFile(p *itemxml.MeshParams) string {
	folder := filepath.Dir(p.File)
	if p.FbxFile != "" {
		return beside(folder, p.FbxFile)
	}
	stem := trimEnd(filepath.Base(p.File), ".MeshParams.xml")
	for _, ext := range []string{".fbx", ".glb", ".gltf"} {
		path := beside(folder, stem+ext)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return beside(folder, stem+".fbx")
}

func trimEnd(name, end string) string {
	if cut := len(name) - len(end); cut >= 0 && strings.EqualFold(name[cut:], end) {
		return name[:cut]
	}
	return name
}

// readScene reads a mesh: FBX, or glTF with its additional files.
func readScene(path string, data []byte) (*model.Scene, error) {
	if fbx.Is(data[:min(len(data), 64)]) {
		return fbx.Read(bytes.NewReader(data), int64(len(data)))
	}
	folder, err := os.OpenRoot(filepath.Dir(path)) // OpenRoot does not follow links out of the folder
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return gltf.ReadModel(data, folder.FS())
}

// maxInput limits the size of a file that another file names.
const maxInput = 1 << 30

// open reads a file. A missing file is reported as a problem, with the file that refers to it
// and a suggestion. The messages use the words of Nadeo's importer, such as "file not found in",
// "uv layer not found", "no material", "invalid value" and "texcoord", because programs that
// start it look for these words.
func (w *work) open(path, from string, line int, suggestion string) ([]byte, bool, error) {
	if from != "" && !w.inside(path) {
		w.say(finding.Error, from, line, "", "put both files into one folder Work, or start pakbox in a folder that has both", "names %s, which is outside of the folder %s", path, w.root)
		return nil, false, nil
	}
	data, err := regular.Read(path, maxInput)
	if os.IsNotExist(err) {
		if from == "" {
			from = path
		}
		w.say(finding.Error, from, line, "", suggestion, "file not found in %s: %s", filepath.Dir(path), filepath.Base(path))
		return nil, false, nil
	}
	return data, err == nil, err
}

// workFolder returns the folder whose files an item may name: the folder Work of the game that
// the item is in, or else the working folder, or else the folder of the item. A file that
// somebody else wrote could otherwise name any file of the user.
func workFolder(path string) string {
	path = resolved(path)
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if strings.EqualFold(filepath.Base(dir), "Work") {
			return dir
		}
	}
	if here := resolved("."); isBelow(path, here) {
		return here
	}
	return filepath.Dir(path)
}

// inside reports whether a path leads to a file in the folder of the work, or to none.
func (w *work) inside(path string) bool {
	return w.root == "" || isBelow(resolved(path), w.root)
}

// resolved returns an absolute path without links. A file that does not exist counts as one in
// the folder that its path states.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}

func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// beside resolves a path in an XML file, which may have backslashes. People write these
// files on Windows, where case does not matter, so a file that differs only in case is
// found too.
func beside(folder, name string) string {
	at := folder
	for _, part := range strings.Split(strings.ReplaceAll(name, `\`, "/"), "/") {
		next := filepath.Join(at, part)
		if _, err := os.Stat(next); err != nil {
			entries, _ := os.ReadDir(at)
			for _, e := range entries {
				if strings.EqualFold(e.Name(), part) {
					next = filepath.Join(at, e.Name())
					break
				}
			}
		}
		at = next
	}
	return at
}

// make builds the item.
func (w *work) make(o *static.Item) {
	var err error
	if w.Crystal {
		w.Model, err = crystal.New(*o, w.game())
	} else {
		w.Model, err = static.New(*o)
	}
	if err != nil {
		w.say(finding.Error, w.Mesh, 0, "", "make the mesh simpler, or check that its faces have an area", "%v", err)
	}
}
