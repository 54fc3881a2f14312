package explore

import (
	"maps"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/source"
)

// secrets are keys and passphrases that were typed on the page. They live as
// long as the program, and are written nowhere.
type secrets struct {
	user func() (archive.Keys, error) // the keys file, nil for none

	mu          sync.Mutex
	keys        archive.Keys
	passphrases map[string]string // by the path of the file in the file system
}

func newSecrets(user func() (archive.Keys, error)) *secrets {
	return &secrets{user: user, keys: archive.Keys{}, passphrases: map[string]string{}}
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
	k.mu.Lock()
	switch {
	case in.Passphrase != "":
		k.passphrases[c.param("path")] = in.Passphrase
	case in.Name != "" && in.Key != "":
		k.keys[strings.ToLower(in.Name)] = in.Key
	}
	k.mu.Unlock()
	if in.Passphrase == "" && (in.Name == "" || in.Key == "") {
		return nil, usage("a passphrase is needed, or the name of a key and the key")
	}
	s.forget()
	s.games.forget() // a pack of it may open now
	return new(answer.Object).Add("kept", true), nil
}
