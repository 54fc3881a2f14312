package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// The page is meant for one person at this computer. Whoever else can make
// their browser send requests here, another page, another user, a name that
// was made to lead to this address, is turned away before anything is looked
// at.

// Policy lets the page use its own scripts, styles and pictures and nothing
// from elsewhere. Workers and WebAssembly are those of the static site, which
// states it in the page itself.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'"

// served adds what only a server can say.
const served = Policy + "; frame-ancestors 'none'"

// NewToken makes a token that nobody guesses.
func NewToken() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// GuardDAV is the guard of the page for programs that speak WebDAV. These know
// passwords and no cookies: the token is the password of any user.
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
	}), hosts, "")
}

// guard turns away what is not from this page. Hosts are names that the server
// was told to answer to besides loopback addresses; without a token anyone at
// this computer may ask.
func guard(next http.Handler, hosts []string, token string) http.Handler {
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
			refuse(w, http.StatusMisdirectedRequest, "this server does not answer to that name")
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			// A link elsewhere may lead to the start page, and to nothing else.
			if r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.URL.Path != "/" || r.Method != http.MethodGet {
				refuse(w, http.StatusForbidden, "another page asked")
				return
			}
		}
		if err := cross.Check(r); err != nil {
			refuse(w, http.StatusForbidden, "another page asked")
			return
		}
		if token != "" && !admitted(w, r, token) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// KnownHost reports whether a request was meant for this server: its name is a
// loopback address, localhost, or one that the server was told.
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

// cookieName holds the port, because browsers send cookies to every server of
// this computer.
func cookieName(host string) string {
	_, port, _ := net.SplitHostPort(host)
	return "pakbox-" + port
}

// admitted reports whether a request has the token. One that brings it in the
// address gets it as a cookie, and an address without it.
func admitted(w http.ResponseWriter, r *http.Request, token string) bool {
	is := func(s string) bool { return same(s, token) }
	name := cookieName(r.Host)
	if given := r.URL.Query().Get("token"); given != "" && r.URL.Path == "/" {
		if !is(given) {
			refuse(w, http.StatusForbidden, "the token in the address is not this server's: take the address that pakbox printed")
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
	refuse(w, http.StatusUnauthorized, "this page needs the token in the address that pakbox printed when it started")
	return false
}

// same compares secrets in a time that tells nothing.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
