package vpk42

import (
	flags "flag" // there is another flag in the package
	"fmt"
	"os"
	"sync"
	"testing"
)

// Three quarters of the tests' time would be the derivation of keys, most of it of
// those that were derived before. Benchmarks measure it.
func TestMain(m *testing.M) {
	flags.Parse()
	if flags.Lookup("test.bench").Value.String() == "" {
		stretch = remembered(stretch)
	}
	os.Exit(m.Run())
}

func remembered(stretch func(string, [saltSize]byte, int) ([]byte, error)) func(string, [saltSize]byte, int) ([]byte, error) {
	var known sync.Map
	return func(passphrase string, salt [saltSize]byte, rounds int) ([]byte, error) {
		what := fmt.Sprint(passphrase, salt, rounds)
		if key, ok := known.Load(what); ok {
			return key.([]byte), nil
		}
		key, err := stretch(passphrase, salt, rounds)
		if err == nil {
			known.Store(what, key)
		}
		return key, err
	}
}
