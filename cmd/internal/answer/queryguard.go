package answer

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/itchyny/gojq"

	"pakbox/fault"
)

// A jq expression from the HTTP service is not trusted. It can make values without end,
// and some functions make a gigabyte in one step that nothing can interrupt. guarded puts
// a check before each such step, and watch measures the memory between steps.

// Limits for such a query: bytes of the document in memory, bytes of the values that the
// expression makes, and bytes of a single value. Together they stay below 128 MB. An
// expression ends after the time that SQL gets.
const (
	maxQueryTime = 10 * time.Second

	maxResults  = 1000
	maxDocument = 80 << 20
	maxGrowth   = 32 << 20
	maxValue    = 4 << 20
	valueBytes  = 48 // memory of a value, without its text
)

// prelude redefines the functions of jq that can make a large result from a small input,
// and adds a check of the size. Each function is first saved under another name, because
// a definition that calls its own name would never end.
const prelude = `
def _paths(f): reduce path(f) as $p (.; _near($p));
def _explode: explode; def explode: _fits(65536) | _explode;
def _split($s): split($s); def split($s): _fits(1048576) | _split($s);
def _split($s; $f): split($s; $f); def split($s; $f): _fits(65536) | _split($s; $f);
def _match2($r; $f): match($r; $f); def match($r; $f): _fits(65536) | _match2($r; $f); def match($r): match($r; null);
def _test2($r; $f): test($r; $f); def test($r; $f): _fits(65536) | _test2($r; $f); def test($r): test($r; null);
def _capture($r; $f): capture($r; $f); def capture($r; $f): _fits(65536) | _capture($r; $f); def capture($r): capture($r; null);
def _scan($r; $f): scan($r; $f); def scan($r; $f): _fits(65536) | _scan($r; $f); def scan($r): scan($r; null);
def _splits($r; $f): splits($r; $f); def splits($r; $f): _fits(65536) | _splits($r; $f); def splits($r): splits($r; null);
def _sub($r; s; $f): sub($r; s; $f); def sub($r; s; $f): _fits(65536) | _sub($r; s; $f); def sub($r; s): sub($r; s; "");
def gsub($r; s): sub($r; s; "g"); def gsub($r; s; $f): sub($r; s; $f + "g");
def _indices($x): indices($x); def indices($x): _fits(1048576) | _indices($x);
def _tojson: tojson; def tojson: _fits(1048576) | _tojson;
def _tostring: tostring; def tostring: _fits(1048576) | _tostring;
def _fromjson: fromjson; def fromjson: _fits(1048576) | _fromjson;
def _format($f): format($f); def format($f): _fits(1048576) | _format($f);
def _join($s): join($s); def join($s): _fits(4194304 / (($s | tostring | length) + 1)) | _join($s);
def _add0: add; def add: _fits(4194304) | _add0; def add(f): [f] | add;
def _implode: implode; def implode: _fits(4194304) | _implode;
def _flatten: flatten; def flatten: _fits(4194304) | _flatten;
def _flatten($d): flatten($d); def flatten($d): _fits(4194304) | _flatten($d);
def _transpose: transpose; def transpose: _fitsTable | _transpose;
def _setpath($p; $v): setpath($p; $v); def setpath($p; $v): _near($p) | _setpath($p; $v);
def _pick(f): pick(f); def pick(f): _paths(f) | _pick(f);
def _fromstream(f): fromstream(f); def fromstream(f): _fromstream(f | . as $s | _near($s[0]));
def _times(l; r): r as $r | l as $l | _product($l; $r) | $l * $r;
def _plus(l; r): r as $r | l as $l | _sum($l; $r) | $l + $r;
def _updateTimes(p; r): r as $r | p |= _times(.; $r);
def _updatePlus(p; r): r as $r | p |= _plus(.; $r);
def _assignTo(p; v): _paths(p) | p = v;
def _modifyBy(p; f): _paths(p) | p |= f;
.`

// operators maps each operator that needs a check to the function that has one.
var operators = map[gojq.Operator]string{
	gojq.OpMul: "_times", gojq.OpAdd: "_plus", gojq.OpUpdateMul: "_updateTimes", gojq.OpUpdateAdd: "_updatePlus",
	gojq.OpAssign: "_assignTo", gojq.OpModify: "_modifyBy",
}

// guarded compiles an expression with checks.
func guarded(text string, w *watch) (*gojq.Code, error) {
	q, err := gojq.Parse(text)
	if err != nil {
		return nil, err
	}
	before, err := gojq.Parse(prelude)
	if err != nil {
		return nil, err
	}
	guard(reflect.ValueOf(q))
	q.FuncDefs = append(before.FuncDefs, q.FuncDefs...)
	return gojq.Compile(q,
		gojq.WithFunction("_fits", 1, 1, func(v any, a []any) any { return w.fits(v, a[0]) }),
		gojq.WithFunction("_fitsTable", 0, 0, func(v any, _ []any) any { return w.fitsTable(v) }),
		gojq.WithFunction("_near", 1, 1, func(v any, a []any) any { return near(v, a[0]) }),
		gojq.WithFunction("_product", 2, 2, func(v any, a []any) any { return w.product(v, a[0], a[1]) }),
		gojq.WithFunction("_sum", 2, 2, func(v any, a []any) any { return w.made(v, sizeOf(a[0], maxValue)+sizeOf(a[1], maxValue)) }))
}

// guard replaces operators by functions with checks, and adds a check before each value
// that is inserted into a text.
func guard(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		guard(v.Elem())
		switch node := v.Interface().(type) {
		case *gojq.Query:
			if name := operators[node.Op]; name != "" {
				*node = gojq.Query{FuncDefs: node.FuncDefs, Term: call(name, node.Left, node.Right)}
			}
		case *gojq.String:
			for i, part := range node.Queries {
				if part.Term == nil || part.Term.Str == nil {
					node.Queries[i] = &gojq.Query{Term: piped(part, &gojq.Query{Term: call("_fits", number(maxValue/4))})}
				}
			}
		case *gojq.Term:
			if node.Type == gojq.TermTypeFormat && node.Str == nil { // @json and other formats
				format := &gojq.Query{Term: &gojq.Term{Type: node.Type, Format: node.Format}}
				suffixes := node.SuffixList
				*node = *piped(&gojq.Query{Term: call("_fits", number(maxValue/4))}, format)
				node.SuffixList = suffixes
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			guard(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			guard(v.Index(i))
		}
	}
}

// piped makes the term (first | second).
func piped(first, second *gojq.Query) *gojq.Term {
	return &gojq.Term{Type: gojq.TermTypeQuery, Query: &gojq.Query{Left: first, Op: gojq.OpPipe, Right: second}}
}

func number(n int) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: strconv.Itoa(n)}}
}

func call(name string, args ...*gojq.Query) *gojq.Term {
	return &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}
}

// watch cancels a query that takes too much memory or time.
type watch struct {
	cancel context.CancelCauseFunc
	before atomic.Uint64 // heap in use when the expression began
	end    atomic.Int64  // when it has taken too long, in nanoseconds of the clock
	bytes  atomic.Int64  // bytes made since the last look at the memory
}

var errMemory = fault.New(fault.Limit, "the question makes more values than fit in memory")

// watched returns a context that is cancelled when too much memory is in use or the
// expression takes too long; stop releases it. jq checks its context before every step, so
// at most some thousand steps pass between two looks. A timer would not do: in a browser it
// fires only when nothing else is computed.
func watched(ctx context.Context) (_ context.Context, w *watch, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w = &watch{cancel: cancel}
	w.before.Store(math.MaxUint64 - maxGrowth)
	w.end.Store(math.MaxInt64)
	return &steps{Context: ctx, w: w}, w, func() { cancel(nil) }
}

// steps is a context that looks at the query every 4096 times that somebody checks it.
type steps struct {
	context.Context
	w *watch
	n int
}

func (s *steps) Done() <-chan struct{} {
	if s.n++; s.n%4096 == 0 {
		s.w.look()
	}
	return s.Context.Done()
}

// begin excludes the memory in use now, and the time until now, from the query's account.
func (w *watch) begin() {
	if w != nil {
		runtime.GC()
		w.before.Store(heapInUse())
		w.end.Store(time.Now().Add(maxQueryTime).UnixNano())
	}
}

// look cancels the query if it takes too long, or too much memory, not counting garbage.
func (w *watch) look() bool {
	if time.Now().UnixNano() > w.end.Load() {
		w.cancel(context.DeadlineExceeded)
		return false
	}
	if heapInUse() <= w.before.Load()+maxGrowth {
		return true
	}
	runtime.GC()
	if heapInUse() <= w.before.Load()+maxGrowth {
		return true
	}
	w.cancel(errMemory)
	return false
}

func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// made returns v if a new value of this size is allowed, otherwise an error.
func (w *watch) made(v any, size int64) any {
	if size > maxValue {
		w.cancel(errMemory)
		return errMemory
	}
	if w.bytes.Add(size) > maxValue {
		w.bytes.Store(0)
		if !w.look() {
			return errMemory
		}
	}
	return v
}

// fits returns v if it is not larger than most, otherwise an error.
func (w *watch) fits(v, most any) any {
	limit := int64(maxValue)
	switch n := most.(type) {
	case int:
		limit = int64(n)
	case float64:
		limit = int64(n)
	}
	size := sizeOf(v, limit)
	if size > limit {
		size = maxValue + 1
	}
	return w.made(v, size)
}

// fitsTable returns the rows v if a table of them has a normal size, otherwise an error.
func (w *watch) fitsTable(v any) any {
	rows, _ := v.([]any)
	longest := 0
	for _, row := range rows {
		if list, ok := row.([]any); ok {
			longest = max(longest, len(list))
		}
	}
	return w.made(v, 16*int64(len(rows))*int64(longest))
}

// product returns v unless l * r would repeat a text too often.
func (w *watch) product(v, l, r any) any {
	for _, pair := range [][2]any{{l, r}, {r, l}} {
		text, isText := pair[0].(string)
		times, isNumber := toFloat(pair[1])
		if isText && isNumber && times > 0 {
			return w.made(v, int64(min(float64(len(text))*times, maxValue+1)))
		}
	}
	return v
}

func toFloat(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case float64:
		return n, true
	}
	_, isNumber := v.(interface{ Sign() int }) // an integer of any size
	return maxValue + 1, isNumber
}

// near returns v unless an index in the path is so large that it would make a huge list.
func near(v, path any) any {
	list, _ := path.([]any)
	for _, part := range list {
		if at, ok := toFloat(part); ok && at > maxValue/16 {
			return errMemory
		}
	}
	return v
}

// sizeOf estimates the memory of a value. It counts a part each time it occurs, and stops
// once the size exceeds most.
func sizeOf(v any, most int64) (size int64) {
	switch v := v.(type) {
	case string:
		return int64(len(v))
	case []any:
		size = 16 * int64(len(v))
		for i := 0; i < len(v) && size <= most; i++ {
			size += sizeOf(v[i], most-size)
		}
	case map[string]any:
		for k, x := range v {
			if size += int64(len(k)) + valueBytes + sizeOf(x, most-size); size > most {
				break
			}
		}
	}
	return size + 8
}
