package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// object is a value with fields: what it is, what else it counts as, and how a
// field is answered.
type object struct {
	kind  string
	also  []string // interfaces
	field func(name string, arguments map[string]any) (any, error)
}

// broken is an element of a list that cannot be given.
type broken struct{ err error }

// fieldError is an error with GitHub's type.
type fieldError struct{ kind, message string }

func (e *fieldError) Error() string { return e.message }

// unknownField is the error of a field that the world does not have.
type unknownField struct{ kind, name string }

func (e *unknownField) Error() string {
	return fmt.Sprintf("Field '%s' doesn't exist on type '%s'", e.name, e.kind)
}

// overloaded ends the whole request in a 502.
type overloaded struct{}

func (overloaded) Error() string { return "Server Error" }

// run is one execution of a query.
type run struct {
	doc       *document
	variables map[string]any
	errors    []map[string]any
	foreign   error // a field that does not exist: the whole query fails
	heavy     bool
}

// serveGraphQL executes a query.
func (w *World) serveGraphQL(out http.ResponseWriter, r *http.Request) {
	var asked struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		text(out, http.StatusBadRequest, `{"message":"Problems parsing JSON"}`)
		return
	}
	doc, err := parseGraphQL(asked.Query)
	if err != nil {
		w.sendGraphQL(out, nil, []map[string]any{{"message": "Parse error: " + err.Error()}})
		return
	}
	x := &run{doc: doc, variables: asked.Variables}
	requests, nodes := x.cost(doc.selections, 1)
	points := max(1, (requests+50)/100)
	if !w.spend(out, true, points) {
		return
	}
	w.mu.Lock()
	w.counts.Points += points
	if nodes > 500_000 {
		w.mu.Unlock()
		w.sendGraphQL(out, nil, []map[string]any{{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": fmt.Sprintf("This query requests up to %d possible nodes which exceeds the maximum limit of 500,000.", nodes)}})
		return
	}
	data := x.object(w.root(points, nodes), doc.selections, nil)
	w.mu.Unlock()
	switch {
	case x.heavy:
		text(out, http.StatusBadGateway, `{"message":"Server Error"}`)
	case x.foreign != nil:
		w.sendGraphQL(out, nil, []map[string]any{{"message": x.foreign.Error(), "extensions": map[string]any{"code": "undefinedField"}}})
	default:
		w.sendGraphQL(out, data, x.errors)
	}
}

func (w *World) sendGraphQL(out http.ResponseWriter, data any, errors []map[string]any) {
	answer := map[string]any{}
	if data != nil {
		answer["data"] = data
	}
	if len(errors) > 0 {
		answer["errors"] = errors
	}
	body, err := json.Marshal(answer)
	if err != nil {
		text(out, http.StatusInternalServerError, `{"message":"Server Error"}`)
		return
	}
	text(out, http.StatusOK, string(body))
}

// cost counts requests and nodes as GitHub does: every list is one request for
// each of its parents and up to first nodes.
func (x *run) cost(all []selection, parents int) (requests, nodes int) {
	for _, s := range all {
		if !x.included(s.include) {
			continue
		}
		below := parents
		switch {
		case s.spread != "":
			r, n := x.cost(x.doc.fragments[s.spread].selections, parents)
			requests, nodes = requests+r, nodes+n
			continue
		case s.arguments["first"] != nil:
			first := intOf(x.value(s.arguments["first"]))
			requests += parents
			nodes += parents * first
			below = parents * first
		}
		r, n := x.cost(s.selections, below)
		requests, nodes = requests+r, nodes+n
	}
	return requests, nodes
}

func (x *run) included(all []condition) bool {
	for _, c := range all {
		yes, _ := x.value(c.value).(bool)
		if yes == c.skip {
			return false
		}
	}
	return true
}

// value puts variables in place.
func (x *run) value(v any) any {
	switch v := v.(type) {
	case variable:
		if given, ok := x.variables[string(v)]; ok {
			return given
		}
		return x.doc.defaults[string(v)]
	case enum:
		return string(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = x.value(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = x.value(v[k])
		}
		return out
	}
	return v
}

// field gathers the selections that answer under one key.
type gathered struct {
	selection
	below []selection
}

func (x *run) gather(o *object, all []selection, into map[string]*gathered, order *[]string) {
	for _, s := range all {
		if !x.included(s.include) {
			continue
		}
		switch {
		case s.spread != "":
			f := x.doc.fragments[s.spread]
			if o.is(f.on) {
				x.gather(o, f.selections, into, order)
			}
		case s.inline:
			if s.on == "" || o.is(s.on) {
				x.gather(o, s.selections, into, order)
			}
		default:
			g := into[s.key()]
			if g == nil {
				g = &gathered{selection: s}
				into[s.key()] = g
				*order = append(*order, s.key())
			}
			g.below = append(g.below, s.selections...)
		}
	}
}

func (o *object) is(kind string) bool { return o.kind == kind || slices.Contains(o.also, kind) }

func (x *run) object(o *object, all []selection, path []any) map[string]any {
	into, order := map[string]*gathered{}, []string{}
	x.gather(o, all, into, &order)
	out := make(map[string]any, len(order))
	for _, key := range order {
		g := into[key]
		at := append(slices.Clone(path), key)
		if g.name == "__typename" {
			out[key] = o.kind
			continue
		}
		arguments, _ := x.value(anyMap(g.arguments)).(map[string]any)
		v, err := o.field(g.name, arguments)
		if err != nil {
			x.fail(err, at)
			out[key] = nil
			continue
		}
		out[key] = x.complete(v, g.below, at)
	}
	return out
}

func anyMap(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func (x *run) fail(err error, path []any) {
	switch err := err.(type) { //nolint:errorlint // the world's own errors, never wrapped
	case *unknownField:
		x.foreign = err
	case overloaded:
		x.heavy = true
	case *fieldError:
		x.errors = append(x.errors, map[string]any{"type": err.kind, "message": err.message, "path": path})
	default:
		x.errors = append(x.errors, map[string]any{"message": err.Error(), "path": path})
	}
}

// complete turns a field's value into JSON.
func (x *run) complete(v any, below []selection, path []any) any {
	switch v := v.(type) {
	case *object:
		if v == nil {
			return nil
		}
		return x.object(v, below, path)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = x.complete(v[i], below, append(slices.Clone(path), i))
		}
		return out
	case brokenPull:
		return x.pullNode(v, below, path)
	case broken:
		x.fail(v.err, path)
		return nil
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UTC().Format(time.RFC3339)
	}
	return v
}

func intOf(v any) int {
	switch v := v.(type) {
	case float64:
		return int(v)
	case int:
		return v
	}
	return 0
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}
