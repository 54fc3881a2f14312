package fact

import "testing"

// A struct's tags are facts, and its values are cells of them.
func TestFields(t *testing.T) {
	type state string
	type row struct {
		Name   string  `json:"name" doc:"name of it"`
		Size   int64   `json:"size" kind:"bytes"`
		State  state   `json:"state"`
		Where  *string `json:"where,omitempty"`
		Good   *bool   `json:"good"`
		Hidden int     `json:"-"`
	}
	facts := Fields[row]()
	for i, want := range []Fact{{Name: "name", Kind: Text, Doc: "name of it"}, {Name: "size", Kind: Bytes}, {Name: "state", Kind: Text}, {Name: "where", Kind: Text}, {Name: "good", Kind: Flag}} {
		if got := *facts[i]; got.Name != want.Name || got.Kind != want.Kind || got.Doc != want.Doc {
			t.Errorf("field %d is %+v, want %+v", i, got, want)
		}
	}
	good := true
	line, err := Cells(facts, Values(row{Name: "a", Size: 2, State: "ok", Good: &good})...).MarshalJSON()
	if want := `{"name":"a","size":2,"state":"ok","where":null,"good":true}`; err != nil || string(line) != want {
		t.Errorf("%s, %v; want %s", line, err, want)
	}
}
