package explore

import (
	"image"
	"image/color"
	"io"
	"path"
	"slices"
	"strings"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/answer"
	"pakbox/simutrans"
	"pakbox/simutrans/check"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/picture"
)

// simFile opens the Simutrans objects that are asked about: all of a file, or
// one.
func (s *Explorer) simFile(c *call, use func(objects []simutrans.Object) (any, error)) (any, error) {
	name := c.param("path")
	f, done, err := s.open.get(c.Context(), name)
	if err != nil {
		return nil, err
	}
	defer done()
	file, ok := f.Place.Archive.(*simutrans.Archive)
	if !ok {
		return nil, fault.InFile(fault.New(fault.NotFormat, "is no Simutrans object file but %s", f.Format()), name)
	}
	objects := file.Objects()
	if folder := c.param("object"); folder != "" || !f.Whole {
		if folder == "" {
			folder = f.Place.Inner
		}
		n, ok := file.Find(folder)
		if !ok {
			return nil, fault.InFile(fault.New(fault.NotFormat, "%s is not an object", folder), name)
		}
		objects = []simutrans.Object{{Folder: simutrans.FolderName(n), Node: n}}
	}
	return use(objects)
}

// simObjects lists objects with all that info says about each.
func (s *Explorer) simObjects(c *call) (any, error) {
	return s.simFile(c, func(objects []simutrans.Object) (any, error) {
		list := []*answer.Object{}
		for _, o := range objects {
			facts := simutrans.ObjectFacts(o.Node)
			lines := []line{}
			for _, f := range facts {
				if text := f.Text(); f.OnCard() && text != "" {
					lines = append(lines, line{Label: f.Label, Text: text})
				}
			}
			list = append(list, new(answer.Object).Add("folder", o.Folder).Add("card", lines).Add("axes", picture.Axes(o.Node)).Add("fields", settable(o.Node)).AddFacts(facts))
		}
		return answer.New("simutrans.objects", c.param("path"), "simutrans").Add("objects", list), nil
	})
}

// field is a value of an object that can be set.
type field struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Unit string `json:"unit,omitempty"`
}

// settable are the values of an object that can be given others one by one.
func settable(n *node.Node) []field {
	list := []field{}
	d, err := object.Decode(n)
	if err != nil {
		return list // which the card tells of
	}
	for _, f := range d.Fields() {
		if !f.Structural {
			list = append(list, field{f.Name, node.Display(f.Text), f.Unit})
		}
	}
	return list
}

// maxScale is how often a sprite is enlarged at most.
const maxScale = 8

// simPicture draws the images of one object.
func (s *Explorer) simPicture(c *call) (any, error) {
	opts := picture.Options{Night: c.param("night") == "true"}
	scale, err := c.number("scale", 2, 1)
	if err != nil {
		return nil, err
	}
	columns, err := c.number("columns", 8, 1)
	if err != nil {
		return nil, err
	}
	opts.Scale, opts.Columns = int(min(scale, maxScale)), int(min(columns, 64))
	for _, p := range []struct {
		name string
		to   **color.NRGBA
	}{{"player1", &opts.Player1}, {"player2", &opts.Player2}} {
		if text := c.param(p.name); text != "" {
			colour, err := picture.ParseColor(text)
			if err != nil {
				return nil, usage("%s: %v", p.name, err)
			}
			*p.to = &colour
		}
	}
	return s.simFile(c, func(objects []simutrans.Object) (any, error) {
		if len(objects) != 1 {
			return nil, usage("choose one of %d objects", len(objects))
		}
		draw := picture.Sheet
		if c.param("sprite") == "true" {
			draw = c.sprite
		}
		drawn, err := draw(objects[0].Node, opts)
		if err != nil {
			return nil, err
		}
		return writePNG(drawn)
	})
}

// sprite draws the one view that the parameters choose.
func (c *call) sprite(n *node.Node, opts picture.Options) (*image.NRGBA, error) {
	choice := map[string]string{}
	for _, axis := range picture.Axes(n) {
		if v := c.param("axis." + axis.Name); v != "" {
			choice[axis.Name] = v
		}
	}
	return picture.Sprite(n, choice, opts)
}

// Limits of a pakset that is looked at as a whole.
const (
	maxPaks     = 20000
	maxVehicles = 20000
	maxPakBytes = 512 << 20
)

// paks are the object files at a path: it, or all in a folder and below.
func (s *Explorer) paks(c *call, name string) (files []string, err error) {
	if info, err := s.files.Stat(name); err != nil || !info.IsDir() {
		_, done, err := s.openContent(c.Context(), name, maxPakBytes)
		if err != nil {
			return nil, err
		}
		done()
		return []string{name}, nil
	}
	var bytes int64
	folders := []string{name}
	for len(folders) > 0 {
		if err := c.Context().Err(); err != nil {
			return nil, err
		}
		dir := folders[0]
		folders = folders[1:]
		list, err := s.files.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			at := path.Join(dir, e.Name())
			switch {
			case e.IsDir():
				folders = append(folders, at)
			case strings.EqualFold(path.Ext(at), ".pak"):
				if info, err := e.Info(); err == nil {
					bytes += info.Size()
				}
				files = append(files, at)
			}
		}
		if len(files) > maxPaks || len(folders) > maxPaks || bytes > maxPakBytes {
			return nil, fault.InFile(fault.New(fault.Limit, "more than %d object files, or %d bytes of them", maxPaks, maxPakBytes), name)
		}
	}
	slices.Sort(files)
	return files, nil
}

// simCheck tells what does not fit together in a pakset.
func (s *Explorer) simCheck(c *call) (any, error) {
	name := c.param("path")
	files, err := s.paks(c, name)
	if err != nil {
		return nil, err
	}
	set, err := check.LoadFiles(c.Context(), files, func(file string) ([]byte, error) {
		r, done, err := s.openContent(c.Context(), file, maxPakBytes)
		if err != nil {
			return nil, err
		}
		defer done()
		return io.ReadAll(r)
	})
	if err != nil {
		return nil, err
	}
	found, err := answer.CheckSet([]string{name}, set, nil)
	if err != nil {
		return nil, err
	}
	return found.Object(finding.Note), nil
}

// simVehicles lists the vehicles of a file, or of all object files in a folder.
func (s *Explorer) simVehicles(c *call) (any, error) {
	name := c.param("path")
	files, err := s.paks(c, name)
	if err != nil {
		return nil, err
	}
	vehicles := []fact.Record{}
	for _, file := range files {
		if err := c.Context().Err(); err != nil {
			return nil, err
		}
		vehicles = append(vehicles, s.vehiclesIn(c, file)...)
		if len(vehicles) > maxVehicles {
			return nil, fault.InFile(fault.New(fault.Limit, "more than %d vehicles", maxVehicles), name)
		}
	}
	return new(answer.Object).Add("path", name).Add("vehicles", vehicles), nil
}

// vehiclesIn are those of one file; there are none in one that cannot be read.
func (s *Explorer) vehiclesIn(c *call, name string) (list []fact.Record) {
	f, err := s.opener.WithoutAsking().OpenAny(c.Context(), name)
	if err != nil {
		return nil
	}
	defer f.Close()
	file, ok := f.Place.Archive.(*simutrans.Archive)
	if !ok {
		return nil
	}
	for _, o := range file.Objects() {
		if v, err := simutrans.Vehicle(o.Node); err == nil && v != nil {
			list = append(list, append(answer.Envelope("simutrans.vehicles", name, "simutrans"), v...))
		}
	}
	return list
}
