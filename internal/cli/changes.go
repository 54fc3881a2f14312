package cli

import "pakbox/archive"

// changeJSON is a change in diff --json.
type changeJSON struct {
	Change  archive.ChangeKind `json:"change"`
	Name    string             `json:"name"`
	OldSize *int64             `json:"old_size"`
	NewSize *int64             `json:"new_size"`
}

// valueChangeJSON is a change of a value in diff --json.
type valueChangeJSON struct {
	Change archive.ChangeKind `json:"change"`
	Path   string             `json:"path"`
	Old    *string            `json:"old"`
	New    *string            `json:"new"`
}

func valueChangeObjects(changes []archive.ValueChange) []valueChangeJSON {
	objects := make([]valueChangeJSON, len(changes))
	for i, c := range changes {
		objects[i] = valueChangeJSON{c.Kind, c.Path, nonEmpty(c.Old), nonEmpty(c.New)}
	}
	return objects
}
