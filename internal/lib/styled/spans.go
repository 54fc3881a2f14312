package styled

// Span is a stretch of a name in one style, for those who draw names
// themselves.
type Span struct {
	Text   string `json:"text"`
	Color  string `json:"color,omitempty"` // #rrggbb, "" for the usual colour
	Bold   bool   `json:"bold,omitempty"`
	Italic bool   `json:"italic,omitempty"`
	Wide   bool   `json:"wide,omitempty"`
	Narrow bool   `json:"narrow,omitempty"`
}

// Spans takes a name with its codes apart. Links are left out: where they lead
// is the file's word, and no page should follow it.
func Spans(s string) []Span {
	list := []Span{}
	for _, p := range spans(s) {
		out := Span{Text: p.shown(), Bold: p.bold, Italic: p.italic, Wide: p.wide, Narrow: p.narrow}
		if c := p.color; len(c) == 3 {
			out.Color = "#" + c[:1] + c[:1] + c[1:2] + c[1:2] + c[2:] + c[2:]
		}
		list = append(list, out)
	}
	return list
}
