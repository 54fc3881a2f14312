package question

import (
	"strings"
	"testing"
)

// Windows denies access to a file that is open elsewhere; other systems do not.
func TestPermissionHint(t *testing.T) {
	const open = "close the program that has it open"
	for system, want := range map[string]bool{"windows": true, "linux": false, "darwin": false} {
		if got := strings.Contains(permissionHint(system), open); got != want {
			t.Errorf("permissionHint(%q) contains %q: %v, want %v", system, open, got, want)
		}
	}
}
