package explore

import (
	"image"
	"image/color"
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/simutrans"
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
				if text := answer.FactText(f); f.Label != "" && text != "" {
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
			colour, err := picture.ParseColour(text)
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

// maxVehicles is how many vehicles are compared at once.
const maxVehicles = 5000

// simVehicles lists the vehicles of a file, or of all object files in a folder.
func (s *Explorer) simVehicles(c *call) (any, error) {
	name := c.param("path")
	files := []string{name}
	if info, err := s.files.Stat(name); err == nil && info.IsDir() {
		list, err := s.files.ReadDir(name)
		if err != nil {
			return nil, err
		}
		files = nil
		for _, e := range list {
			if strings.EqualFold(path.Ext(e.Name()), ".pak") {
				files = append(files, path.Join(name, e.Name()))
			}
		}
	}
	vehicles := []*answer.Object{}
	for _, file := range files {
		if err := c.Context().Err(); err != nil {
			return nil, err
		}
		if len(vehicles) >= maxVehicles {
			break
		}
		vehicles = append(vehicles, s.vehiclesIn(c, file)...)
	}
	return answer.New("simutrans.vehicles", name, "simutrans").Add("vehicles", vehicles), nil
}

// vehiclesIn are those of one file; there are none in one that cannot be read.
func (s *Explorer) vehiclesIn(c *call, name string) (list []*answer.Object) {
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
		if v, err := answer.Vehicle(name, o.Node); err == nil && v != nil {
			list = append(list, v)
		}
	}
	return list
}
