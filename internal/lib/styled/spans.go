package styled

// Span is a piece of a name in one style, for programs that draw names.
type Span struct {
	Text   string `json:"text"`
	Color  string `json:"color,omitempty"` // #rrggbb, "" for the usual colour
	Bold   bool   `json:"bold,omitempty"`
	Italic bool   `json:"italic,omitempty"`
	Wide   bool   `json:"wide,omitempty"`
	Narrow bool   `json:"narrow,omitempty"`
}

// Spans splits a name into pieces. It drops links, which a page should not follow.
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
