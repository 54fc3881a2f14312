package answer

import "pakbox/archive"

// Change is a change in diff --json.
type Change struct {
	Change  archive.ChangeKind `json:"change"`
	Name    string             `json:"name"`
	OldSize *int64             `json:"old_size"`
	NewSize *int64             `json:"new_size"`
}

// ValueChange is a change of a value in diff --json.
type ValueChange struct {
	Change archive.ChangeKind `json:"change"`
	Path   string             `json:"path"`
	Old    *string            `json:"old"`
	New    *string            `json:"new"`
}

// ValueChanges are changes of values as JSON has them.
func ValueChanges(changes []archive.ValueChange) []ValueChange {
	objects := make([]ValueChange, len(changes))
	for i, c := range changes {
		objects[i] = ValueChange{c.Kind, c.Path, NonEmpty(c.Old), NonEmpty(c.New)}
	}
	return objects
}
