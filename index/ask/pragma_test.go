package ask_test

import (
	"context"
	"strings"
	"testing"
)

// Only pragmas that read the schema of tables are allowed, in any
// spelling.
func TestPragmas(t *testing.T) {
	x := made(t, sample...)
	for _, query := range []string{
		"pragma hard_heap_limit = 0", "PRAGMA/**/soft_heap_limit(99)", "pragma main.cache_size = -9000000", "pragma cache_spill = off", "pragma -- x\n mmap_size = 1e12", "pragma database_list",
		"select * from pragma_database_list", `select * from "pragma_database_list"`, "select * from [pragma_hard_heap_limit]", "select * from `PRAGMA_cache_size`", "pragma temp_store = memory",
		"select * from 'pragma_database_list'", "pragma \"cache_size\" = 5", "select 1; pragma cache_size = 7", "pragma main . cache_size=3",
	} {
		if a, err := x.SQL(context.Background(), query); err == nil {
			a.Close()
			t.Errorf("%s: no error", query)
		} else if !strings.Contains(err.Error(), "not allowed") {
			t.Errorf(`%s: err = %v; want err with "not allowed"`, query, err)
		}
	}
	for _, query := range []string{"pragma table_info(files)", "pragma main.table_info(files)", "select name from pragma_table_info('maps')", "select 'pragma cache_size'", "pragma user_version"} {
		a, err := x.SQL(context.Background(), query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		a.Close()
	}
}

// The bound of memory holds.
func TestLimitMemory(t *testing.T) {
	x := made(t, sample...)
	if err := x.LimitMemory(context.Background(), 24<<20); err != nil {
		t.Fatal(err)
	}
	defer x.LimitMemory(context.Background(), 1<<40)
	ctx := context.Background()
	a, err := x.SQL(ctx, "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select count(*) from (select group_concat(hex(zeroblob(100000))) from n)")
	if err == nil {
		for _, err = range a.Rows(ctx) {
		}
	}
	if err == nil {
		t.Error("no error")
	}
	if n, err := x.Files(ctx); n != 4 || err != nil {
		t.Errorf("afterwards: %d files, %v", n, err)
	}
}
