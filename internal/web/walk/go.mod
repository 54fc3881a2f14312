module pakbox/internal/web/walk

go 1.26

require github.com/chromedp/chromedp v0.21.0 // drives Chromium, in a module of its own because only these tests use it

require github.com/chromedp/cdproto v0.157.8

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
