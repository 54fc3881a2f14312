package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// The page is meant for one person at this computer. Other web pages, other users, and
// host names that were made to point to this address (DNS rebinding) can also send
// requests here. The guard refuses these before it looks at anything.

// Policy is the Content-Security-Policy: the page may use its own scripts, styles and
// pictures and nothing from elsewhere. The static site needs the parts about workers and
// WebAssembly, and states the policy in its HTML.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self' blob:; media-src blob:; worker-src 'self'; base-uri 'none'; form-action 'none'"

// served adds the part of the policy that only an HTTP header can state.
const served = Policy + "; frame-ancestors 'none'"

// NewToken makes a random token.
func NewToken() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Ticket is a token that admits one browser once. Programs can read the command lines of
// others, so a browser is started with a ticket and not with the token.
type Ticket struct {
	mu    sync.Mutex
	value string // "" when it was used
}

// NewTicket makes a random ticket.
func NewTicket() *Ticket { return &Ticket{value: NewToken()} }

// String is the value for the address.
func (t *Ticket) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value
}

// use reports whether given is the ticket, which then is used up.
func (t *Ticket) use(given string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == "" || !same(given, t.value) {
		return false
	}
	t.value = ""
	return true
}

// GuardDAV is the guard for WebDAV clients. These support passwords but no cookies, so the
// token is the password, for any user name.
func GuardDAV(next http.Handler, hosts []string, token string) http.Handler {
	return guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token != "" {
			if _, password, ok := r.BasicAuth(); !ok || !same(password, token) {
				w.Header().Set("WWW-Authenticate", `Basic realm="pakbox"`)
				refuse(w, http.StatusUnauthorized, "the password is the one in the address that pakbox printed when it started")
				return
			}
		}
		next.ServeHTTP(w, r)
	}), hosts, "", nil)
}

// guard refuses requests that do not come from this page. The hosts are names that the
// server accepts besides loopback addresses. Without a token, everybody at this computer
// is admitted. The ticket may be nil.
func guard(next http.Handler, hosts []string, token string, ticket *Ticket) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", served)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !KnownHost(r.Host, hosts) {
			turnAway(w, r, http.StatusMisdirectedRequest, "this server does not answer to that name", misnamedPage)
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			// Links on other pages may lead to the start page and nowhere else.
			if r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.URL.Path != "/" || r.Method != http.MethodGet {
				refuse(w, http.StatusForbidden, "requests of other web pages are refused")
				return
			}
		}
		if err := cross.Check(r); err != nil {
			refuse(w, http.StatusForbidden, "requests of other web pages are refused")
			return
		}
		if token != "" && !admitted(w, r, token, ticket) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// KnownHost reports whether a request was meant for this server: its Host is a loopback
// address, localhost, or one of the given names.
func KnownHost(host string, hosts []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(strings.TrimSuffix(strings.ToLower(name), "."), "[]")
	if name == "localhost" {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.IsLoopback() {
		return true
	}
	for _, h := range hosts {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// cookieName contains the port, because browsers send a cookie to all servers of this
// computer, whatever the port.
func cookieName(host string) string {
	_, port, _ := net.SplitHostPort(host)
	return "pakbox-" + port
}

// admitted reports whether a request carries the token. A request with the token in its
// address gets a cookie instead, and is redirected to the address without the token.
func admitted(w http.ResponseWriter, r *http.Request, token string, ticket *Ticket) bool {
	is := func(s string) bool { return same(s, token) }
	if isPublic(r) {
		return true
	}
	name := cookieName(r.Host)
	if given := r.URL.Query().Get("token"); given != "" && r.URL.Path == "/" {
		if !is(given) && !ticket.use(given) {
			turnAway(w, r, http.StatusForbidden, "the token in the address is not this server's: take the address that pakbox printed", strangerPage)
			return false
		}
		http.SetCookie(w, &http.Cookie{Name: name, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return false
	}
	if c, err := r.Cookie(name); err == nil && is(c.Value) {
		return true
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && is(bearer) {
		return true
	}
	turnAway(w, r, http.StatusUnauthorized, "this page needs the token in the address that pakbox printed when it started", strangerPage)
	return false
}

// isPublic reports whether a request needs no token: the page that asks for the token
// uses these files.
func isPublic(r *http.Request) bool {
	return r.Method == http.MethodGet && slices.Contains([]string{"/tokens.css", "/app.css", "/icon.svg"}, r.URL.Path)
}

// turnAway refuses a request. A browser gets a page with instructions; a program gets
// JSON.
func turnAway(w http.ResponseWriter, r *http.Request, status int, message, page string) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		refuse(w, status, message)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, page)
}

// Pages for a browser that is turned away. They reveal nothing about the served files.
var (
	strangerPage = plainPage("the address is incomplete", `<h1>This browser has not been let in</h1>
<p>pakbox shows files only to whoever has the address that it printed when it started. The address ends in <code>?token=…</code></p>
<ol><li>Look at the window in which <code>pakbox serve</code> runs.</li><li>Copy the whole address from its first line.</li><li>Open that address here.</li></ol>
<p class="note">Was pakbox started again? Then the old address no longer works, and it printed a new one.</p>`)
	misnamedPage = plainPage("another address is needed", `<h1>pakbox does not answer to this name</h1>
<p>Any page could make up a name that leads to this computer. That is why pakbox answers only under the addresses that it printed when it started.</p>
<ol><li>Look at the window in which <code>pakbox serve</code> runs.</li><li>Copy one of the addresses that stand there.</li><li>Open that address here.</li></ol>`)
	nowherePage = plainPage("nothing here", `<h1>There is nothing at this address</h1>
<p><a href="/">To the first page</a></p>`)
)

// plainPage is a page without scripts. Under a wrong name it has no styles either, since
// these are refused too.
func plainPage(title, body string) string {
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>pakbox: ` + title + `</title><link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/tokens.css"><link rel="stylesheet" href="/app.css"></head>
<body><header class="top"><span class="brand"><img src="/icon.svg" alt="" width="20" height="20">pakbox</span></header>
<main>` + body + `</main></body></html>
`
}

// same compares secrets in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
