// Package busy deals with files that another program has open for a moment. On
// Windows such a file cannot be renamed or removed: virus scanners and indexers
// open every new file.
package busy

import "time"

// patience is how long a rename is tried again.
const patience = time.Second

// Retry calls work, and calls it again for up to a second while it fails because another
// program has a file open. On systems that can rename open files it calls work once.
func Retry(work func() error) error { return retry(work, isBusy, time.Now, time.Sleep) }

func retry(work func() error, busy func(error) bool, now func() time.Time, sleep func(time.Duration)) error {
	end := now().Add(patience)
	for pause := 5 * time.Millisecond; ; pause *= 2 {
		err := work()
		if err == nil || !busy(err) || !now().Before(end) {
			return err
		}
		sleep(pause)
	}
}
