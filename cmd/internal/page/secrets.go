package page

import (
	"errors"
	"maps"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// secrets holds keys and passphrases that were typed on the page. They exist as long as
// the program runs, and are never written to disk.
type secrets struct {
	user  func() (archive.Keys, error)         // reads the keys file; nil for none
	given func(source.Request) (string, error) // returns the passphrase with which the program was started; nil for none

	mu          sync.Mutex
	keys        archive.Keys
	passphrases map[string]string // by the path of the file on disk
}

func newSecrets(user func() (archive.Keys, error), given func(source.Request) (string, error)) *secrets {
	return &secrets{user: user, given: given, keys: archive.Keys{}, passphrases: map[string]string{}}
}

// all returns the keys of the keys file and the typed keys.
func (s *secrets) all() (archive.Keys, error) {
	keys := archive.Keys{}
	if s.user != nil {
		known, err := s.user()
		if err != nil {
			return nil, err
		}
		maps.Copy(keys, known)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(keys, s.keys)
	return keys, nil
}

// passphrase returns the passphrase that was typed for a file.
func (s *secrets) passphrase(r source.Request) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, p := range s.passphrases {
		if r.Path == path || strings.HasPrefix(r.Path, path+"/") {
			return p, nil
		}
	}
	if s.given != nil {
		return s.given(source.Request{Path: r.Path})
	}
	return "", fault.New(fault.PassphraseRequired, "a passphrase is needed")
}

// wrongGiven reports whether an error may come from the passphrase with which the program
// was started. Then the page asks for another.
func (s *Explorer) wrongGiven(err error) bool {
	return s.secrets.given != nil && errors.Is(err, fault.HMACMismatch)
}

// unlock stores a key or a passphrase for a file.
func (s *Explorer) unlock(c *call) (any, error) {
	var in struct {
		Passphrase string `json:"passphrase"`
		Name       string `json:"name"`
		Key        string `json:"key"`
	}
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	k := s.secrets
	switch {
	case in.Passphrase != "":
		if err := s.tryPassphrase(c, in.Passphrase); err != nil {
			return nil, err
		}
	case in.Name != "" && in.Key != "":
		k.mu.Lock()
		k.keys[strings.ToLower(in.Name)] = in.Key
		k.mu.Unlock()
	default:
		return nil, usage("a passphrase is needed, or the name of a key and the key")
	}
	s.forget()
	s.games.forget() // one of its packs may open now
	return new(question.Object).Add("kept", true), nil
}

// tryPassphrase stores a passphrase only if it opens the file. With a wrong one stored,
// the page would not ask again.
func (s *Explorer) tryPassphrase(c *call, passphrase string) error {
	name := c.param("path")
	o := *s.opener
	o.Passphrase = func(source.Request) (string, error) { return passphrase, nil }
	f, err := o.OpenAny(c.Context(), name)
	if err != nil {
		return err
	}
	f.Close()
	k := s.secrets
	k.mu.Lock()
	defer k.mu.Unlock()
	k.passphrases[name] = passphrase
	return nil
}
