package lsp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/peer"
)

// emacsEditing is what Emacs does: it opens a source, waits for the findings,
// asks, renames, formats and writes the files. A batch lacks the command
// loop, on which eglot-ensure waits, and a user who answers questions.
const emacsEditing = `
(setq package-directory-list '("/usr/share/emacs/site-lisp/elpa"))
(require 'package)
(package-initialize)
(load (getenv "LINES"))
(unless (require 'eglot nil t) (princ "no eglot") (kill-emacs 3))
(fset 'y-or-n-p (lambda (&rest _) t))
(defun say (&rest args) (princ (concat (apply #'format args) "\n")))
(find-file (expand-file-name "truck.dat" (getenv "FOLDER")))
(say "mode %s" major-mode)
(unless (eglot-current-server) (apply #'eglot--connect (eglot--guess-contact)))
(with-timeout (20) (while (null (flymake-diagnostics)) (accept-process-output nil 0.1)))
(dolist (d (flymake-diagnostics))
  (say "finding %d %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
(defun behind (text) (goto-char (point-min)) (search-forward text))
(behind "Truck")
(eglot-rename "Lorry")
(behind "=Tra")
(say "definition %s" (xref-location-group (xref-item-location
  (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))))
(behind "Spe")
(say "hover %s" (eglot--hover-info (plist-get
  (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)) :contents)))
(goto-char (point-max))
(insert "pow")
(say "completion %s" (all-completions "pow" (nth 2 (eglot-completion-at-point))))
(delete-char -3)
(eglot-format-buffer)
(save-some-buffers t)
`

// TestEmacs is the server under eglot, with the lines of docs/simutrans.md.
func TestEmacs(t *testing.T) {
	emacs := peer.Program(t, "emacs", "emacs-nox elpa-eglot")
	doc, err := os.ReadFile("../../docs/simutrans.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, ok := strings.Cut(string(doc), "```elisp\n")
	lines, _, _ = strings.Cut(lines, "```")
	if !ok {
		t.Fatal("the page has no lines for Emacs")
	}
	c := start(t, map[string]string{
		"truck.dat":        strings.Replace(truck, "speed=80", "Speed = 80\nwieght=3", 1),
		"more/trailer.dat": trailer,
	})
	more := t.TempDir()
	write(t, filepath.Join(more, "lines.el"), []byte(lines))
	write(t, filepath.Join(more, "edit.el"), []byte(emacsEditing))
	// The lines call the program pakbox, which is this test.
	write(t, filepath.Join(more, "pakbox"), []byte("#!/bin/sh\nSERVE_LSP=1 exec '"+os.Args[0]+"'\n"))
	if err := os.Chmod(filepath.Join(more, "pakbox"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(emacs, "-q", "--no-site-lisp", "--batch", "-l", filepath.Join(more, "edit.el"))
	cmd.Env = append(os.Environ(), "FOLDER="+c.dir, "LINES="+filepath.Join(more, "lines.el"), "HOME="+more,
		"PATH="+more+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "no eglot") {
		peer.Missing(t, "Emacs has no eglot (Debian: elpa-eglot)")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"mode simutrans-mode", "finding 5 pakbox [unused_key]: wieght: nothing reads this key (did you mean weight?)",
		"definition " + filepath.Join(c.dir, "more/trailer.dat"), "The highest speed.", "completion (power)",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for name, want := range map[string]string{"truck.dat": "name=Lorry\nwaytype=road\nspeed=80\n", "more/trailer.dat": "constraint[prev][0]=Lorry\n"} {
		if data, err := os.ReadFile(filepath.Join(c.dir, name)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s is\n%s, %v", name, data, err)
		}
	}
}
