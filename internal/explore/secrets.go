package explore

import (
	"maps"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/source"
)

// secrets are keys and passphrases that were typed on the page. They live as
// long as the program, and are written nowhere.
type secrets struct {
	user  func() (archive.Keys, error)         // the keys file, nil for none
	given func(source.Request) (string, error) // the passphrase that the program was started with, nil for none

	mu          sync.Mutex
	keys        archive.Keys
	passphrases map[string]string // by the path of the file in the file system
}

func newSecrets(user func() (archive.Keys, error), given func(source.Request) (string, error)) *secrets {
	return &secrets{user: user, given: given, keys: archive.Keys{}, passphrases: map[string]string{}}
}

// all returns the keys of the keys file and those that were typed.
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

// passphrase is the one that was typed for a file.
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

// unlock keeps a key or a passphrase for a file.
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
	s.games.forget() // a pack of it may open now
	return new(form.Object).Add("kept", true), nil
}

// tryPassphrase keeps a passphrase that opens the file, and no other: a wrong one
// must not keep the page from asking again.
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
