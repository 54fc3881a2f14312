package store_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"pakbox/index/store"
)

// An object of a store. The settings are those of other programs for S3.
func ExampleStore_ReadAll() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "content of ", r.URL.Path)
	}))
	defer server.Close()
	settings := map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-central-1",
		"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
	}
	s, err := store.Open(func(name string) string { return settings[name] })
	if err != nil {
		log.Fatal(err)
	}
	data, err := s.ReadAll(context.Background(), "s3://maps/a.Map.Gbx", "", 1<<20)
	fmt.Println(string(data), err)
	// Output: content of /maps/a.Map.Gbx <nil>
}
