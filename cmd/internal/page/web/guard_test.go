package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// reached is a handler with a known answer.
var reached = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("reached")) })

// wantRefused reports an answer that is more than a refusal.
func wantRefused(t *testing.T, what string, w *httptest.ResponseRecorder, code int) {
	t.Helper()
	var body struct {
		Error struct{ Kind, Message string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != code || body.Error.Kind != "refused" || body.Error.Message == "" ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Errorf("%s: %d %s (%v), want a refusal with %d and nothing else", what, w.Code, w.Body, err, code)
	}
}

// A token has 128 bits, and every server has another one.
func TestNewToken(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		token := NewToken()
		if len(token) != 32 || strings.Trim(token, "0") == "" || seen[token] {
			t.Errorf(`token = %q; want token of length 32, strings.Trim(token, "0") not empty, seen[token] = false`, token)
		}
		seen[token] = true
	}
}

// WebDAV clients send the token as the password of any user. Without it the server asks for
// a password.
func TestGuardDAV(t *testing.T) {
	ask := func(token, user, password, host string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("PROPFIND", "http://"+host+"/", nil)
		if user != "" {
			r.SetBasicAuth(user, password)
		}
		w := httptest.NewRecorder()
		GuardDAV(reached, []string{"nas.local"}, token).ServeHTTP(w, r)
		return w
	}
	for _, user := range []string{"anyone", "pakbox"} {
		if w := ask("secret", user, "secret", "127.0.0.1:8042"); w.Code != 200 || w.Body.String() != "reached" {
			t.Errorf("user %s: status %d: %s", user, w.Code, w.Body)
		}
	}
	for _, given := range [][2]string{{"", ""}, {"anyone", ""}, {"anyone", "secre"}, {"secret", "other"}} {
		w := ask("secret", given[0], given[1], "127.0.0.1:8042")
		wantRefused(t, "user "+given[0], w, http.StatusUnauthorized)
		if !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic ") {
			t.Errorf("user %q: the answer does not ask for a password", given[0])
		}
	}
	if w := ask("", "", "", "127.0.0.1:8042"); w.Body.String() != "reached" {
		t.Errorf("without a token: status %d: %s", w.Code, w.Body)
	}
	if w := ask("secret", "anyone", "secret", "NAS.local:8042"); w.Body.String() != "reached" {
		t.Errorf("a host name of --host: status %d: %s", w.Code, w.Body)
	}
	wantRefused(t, "another name", ask("secret", "anyone", "secret", "evil.example"), http.StatusMisdirectedRequest)
}

func TestKnownHost(t *testing.T) {
	hosts := []string{"box", "fd00::1"}
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.9.9.9:1": true, "[::1]:1": true, "[::1]": true, "Box:80": true, "box.": true, "[fd00::1]:80": true,
		"boxx": false, "": false, "10.0.0.1": false, "[::2]": false, "localhost2": false,
	} {
		if got := KnownHost(host, hosts); got != want {
			t.Errorf("host %q: allowed = %v", host, got)
		}
	}
	if KnownHost("box", nil) {
		t.Error("an unknown host name is allowed")
	}
}

// A refused client gets the refusal and nothing else.
func TestRefusalsAreAll(t *testing.T) {
	h := guard(reached, nil, "secret", nil)
	for what, k := range map[string]struct {
		method, target string
		header         [2]string
		want           int
	}{
		"no token":            {"GET", "/", [2]string{}, 401},
		"a wrong token":       {"GET", "/?token=x", [2]string{}, 403},
		"another page":        {"GET", "/x", [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
		"a form elsewhere":    {"POST", "/", [2]string{"Origin", "http://evil.example"}, 403},
		"a form, to navigate": {"POST", "/", [2]string{"Sec-Fetch-Site", "same-site"}, 403},
	} {
		r := httptest.NewRequest(k.method, "http://127.0.0.1:8042"+k.target, nil)
		if k.header[0] != "" {
			r.Header.Set(k.header[0], k.header[1])
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		wantRefused(t, what, w, k.want)
	}
}

// The address for starting a browser must admit one browser, once.
func TestTicket(t *testing.T) {
	ticket := NewTicket()
	h := guard(reached, nil, "secret", ticket)
	ask := func(given string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8042/?token="+given, nil))
		return w
	}
	value := ticket.String()
	if w := ask("x"); w.Code != http.StatusForbidden {
		t.Errorf("a wrong ticket: status %d", w.Code)
	}
	first := ask(value)
	if first.Code != http.StatusSeeOther || len(first.Result().Cookies()) != 1 || first.Result().Cookies()[0].Value != "secret" {
		t.Errorf("the first browser: status %d, cookies %v", first.Code, first.Result().Cookies())
	}
	for _, given := range []string{value, ""} {
		if w := ask(given); w.Code == http.StatusSeeOther || len(w.Result().Cookies()) > 0 {
			t.Errorf("the ticket %q admits a second browser", given)
		}
	}
	if w := ask("secret"); w.Code != http.StatusSeeOther {
		t.Errorf("the token: status %d", w.Code)
	}
}

func TestMethods(t *testing.T) {
	e := newExplorer(t)
	for _, target := range []string{"/api/home", "/app.js", "/api/changes?path=maps/a.Map.Gbx"} {
		wantRefused(t, "DELETE "+target, e.send(request("DELETE", target, nil)), http.StatusMethodNotAllowed)
	}
	whole := e.send(request("GET", "/api/content?path=maps/a.Map.Gbx", nil))
	head := e.send(request("HEAD", "/api/content?path=maps/a.Map.Gbx", nil))
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != whole.Header().Get("Content-Length") {
		t.Errorf("HEAD: status %d, %d bytes, headers %v", head.Code, head.Body.Len(), head.Header())
	}
	if whole.Header().Get("X-Whole-Size") != strconv.Itoa(whole.Body.Len()) || whole.Header().Get("Cache-Control") != "no-store" {
		t.Errorf(`whole.Header() = %v; want whole.Header().Get("X-Whole-Size") = strconv.Itoa(whole.Body.Len()), whole.Header().Get("Cache-Control") = "no-store"`, whole.Header())
	}
	if c := e.send(request("GET", "/app.js", nil)).Header().Get("Cache-Control"); c != "no-cache" {
		t.Errorf("Cache-Control of the page = %q", c)
	}
	wantRefused(t, "listening to nothing", e.send(request("GET", "/api/changes?path=maps/none", nil)), http.StatusNotFound)
}

// A listener that disconnects makes room for another.
func TestListenersMakeRoom(t *testing.T) {
	e := newExplorer(t)
	for i := range 2 * maxWatched {
		// The recorder ends each connection at once.
		if w := e.send(request("GET", "/api/changes?path=maps/a.Map.Gbx", nil)); w.Code != 200 {
			t.Fatalf("listener %d: status %d: %s", i, w.Code, w.Body)
		}
	}
}

// No other page may put this one into a frame or keep a reference to its window, not
// even when it is refused.
func TestHeadersAgainstFrames(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "evil.example"} {
		w := httptest.NewRecorder()
		guard(reached, nil, "", nil).ServeHTTP(w, httptest.NewRequest("GET", "http://"+host+"/", nil))
		if h := w.Header(); h.Get("X-Frame-Options") != "DENY" || h.Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%s has the headers %v", host, h)
		}
	}
}

// A refused browser gets a page with instructions instead of JSON.
func TestTurnedAway(t *testing.T) {
	e := newExplorer(t)
	for _, asked := range []struct{ host, path, want string }{
		{"evil.example", "/", "pakbox does not answer to this name"},
		{"127.0.0.1:8042", "/no/page", "There is nothing at this address"},
		{"127.0.0.1:8042", "/nothing.js", "There is nothing at this address"},
	} {
		r := request(http.MethodGet, asked.path, nil)
		r.Host = asked.host
		r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
		w := e.send(r)
		if body := w.Body.String(); w.Code < 400 || !strings.Contains(body, "<h1>"+asked.want) || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s%s: status %d: %s", asked.host, asked.path, w.Code, body)
		}
	}
}
