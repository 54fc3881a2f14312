package page

import (
	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/question"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/picture"
)

// simObjects lists objects with all facts of info.
func (s *Explorer) simObjects(c *call) (any, error) {
	list := []*question.Object{}
	at := s.at(c.param("path"))
	err := answers.WithObjects(c.Context(), at, c.param("object"), func(objects []simutrans.Object) error {
		for _, o := range objects {
			facts := simutrans.ObjectFacts(o.Node)
			lines := []line{}
			for _, f := range facts {
				if text := f.Text(); f.OnCard() && text != "" {
					lines = append(lines, line{Label: f.Label, Text: text})
				}
			}
			list = append(list, new(question.Object).Add("folder", o.Folder).Add("card", lines).Add("axes", picture.Axes(o.Node)).Add("fields", settable(o.Node)).AddFacts(facts))
		}
		return nil
	})
	return question.NewObject("simutrans.objects", at.Path, "simutrans").Add("objects", list), err
}

// field is a value of an object that can be changed.
type field struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Unit string `json:"unit,omitempty"`
}

// settable lists the values of an object that can be changed one by one.
func settable(n *node.Node) []field {
	list := []field{}
	d, err := object.Decode(n)
	if err != nil {
		return list // the card shows the error
	}
	for _, f := range d.Fields() {
		if !f.Structural {
			list = append(list, field{f.Name, node.Display(f.Text), f.Unit})
		}
	}
	return list
}
