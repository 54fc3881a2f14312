package folder

import (
	"testing"

	"pakbox/archive/archivetest"
)

func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Unlimited: true})
}
