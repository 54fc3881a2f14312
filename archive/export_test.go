package archive

// CommitAndDie commits a set and does nothing that comes after it, as if the process had
// been killed before the first of the renames.
func (s *Stage) CommitAndDie() error {
	if err := s.finish(); err != nil {
		return err
	}
	_, _, err := s.noteSet()
	s.done = true
	for _, release := range s.held {
		release()
	}
	s.unlock()
	return err
}
