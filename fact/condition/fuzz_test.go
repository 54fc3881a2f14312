package condition_test

import (
	"testing"

	"pakbox/fact"
	"pakbox/fact/condition"
)

// FuzzParse: a condition holds, does not hold or is refused for values of every kind.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"name~road", "size>300KB", "race_time<0:45.100", "modified>=2009-05-31", "laps!=1", "a=*b*", "=", "x<"} {
		f.Add(text, "RoadTech", int64(12345))
	}
	f.Fuzz(func(t *testing.T, text, word string, number int64) {
		c, err := condition.Parse(text)
		if err != nil {
			return
		}
		for kind, value := range map[fact.Kind]any{
			fact.Text: word, fact.Styled: word, fact.Login: word, fact.ID: word, fact.Hash: word,
			fact.Count: number, fact.Bytes: number, fact.Time: number, fact.Moment: number, fact.Number: float64(number),
			fact.Flag: number > 0, fact.List: []string{word}, fact.Times: []*int64{&number, nil}, fact.Object: map[string]any{word: number},
		} {
			c.Holds(fact.Value{Fact: &fact.Fact{Name: "name", Kind: kind}, Value: value})
			c.Holds(fact.Value{Fact: &fact.Fact{Name: "name", Kind: kind}})
		}
	})
}
