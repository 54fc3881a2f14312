package nadeo

import (
	"testing"

	"pakbox/gbx"
)

func TestTimeText(t *testing.T) {
	if got := TimeText(3723004); got != "1:02:03.004" {
		t.Errorf(`got = %v; want "1:02:03.004"`, got)
	}
	if got := TimeText(gbx.NoTime); got != "-:--.---" {
		t.Errorf(`got = %v; want "-:--.---"`, got)
	}
}

func TestAccountID(t *testing.T) {
	if id, ok := AccountID("vTr5QXsPTFi3a2QoTZkY2w"); !ok || id != "bd3af941-7b0f-4c58-b76b-64284d9918db" {
		t.Errorf(`id = %v, ok = %v; want ok = true, id = "bd3af941-7b0f-4c58-b76b-64284d9918db"`, id, ok)
	}
	for _, login := range []string{"", "bigbang1112", "nadeo", "aaaaaaaaaaaaaaaaaaaaaa"} {
		if id, ok := AccountID(login); ok {
			t.Errorf("%q is taken for the account %s", login, id)
		}
	}
}
