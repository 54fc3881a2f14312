package object

import (
	"strings"

	"pakbox/simutrans/node"
)

// TableKeys are the words that the tables of a type have for a version, those of
// parts with the index of the first.
func TableKeys(t node.Type, v Version) (keys []string) {
	l := lookup(t).layouts[v]
	if l == nil {
		return nil
	}
	for _, s := range l.specs {
		for _, key := range s.keys {
			key = strings.ReplaceAll(key, "#", "[0]")
			if s.kind.suffix != "" {
				keys = append(keys, key+"_year", key+"_month")
			} else {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
