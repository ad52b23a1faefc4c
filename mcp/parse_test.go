package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/rules"
)

// everyType has a property of each type that coercion knows.
func everyType() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object",
		Properties: map[string]*jsonschema.Schema{
			"i": {Type: "integer"},
			"n": {Type: "number"},
			"b": {Type: "boolean"},
			"s": {Type: "string"},
			"e": {Type: "string", Enum: []any{"error", "note"}},
			"l": {Type: "array", Items: &jsonschema.Schema{Type: "integer"}},
		},
		Required: []string{"s"},
	}
}

func TestCoerceObject(t *testing.T) {
	for in, want := range map[string]string{
		`{"i":"20"}`:                 `{"i":20}`,
		`{"i":" +08 "}`:              `{"i":8}`,
		`{"i":"20.0"}`:               `{"i":20}`,
		`{"i":"20.5"}`:               `{"i":20.500000000000000}`,
		`{"i":"1e9"}`:                `{"i":"1e9"}`,
		`{"i":"twenty"}`:             `{"i":"twenty"}`,
		`{"i":""}`:                   `{}`,
		`{"i":"99999999999999999"}`:  `{"i":"99999999999999999"}`,
		`{"n":"-0.25"}`:              `{"n":-0.250000000000000}`,
		`{"b":"True"}`:               `{"b":true}`,
		`{"b":"yes"}`:                `{"b":"yes"}`,
		`{"s":7}`:                    `{"s":"7"}`,
		`{"s":" x "}`:                `{"s":"x"}`,
		`{"s":""}`:                   `{"s":""}`,
		`{"s":null}`:                 `{"s":null}`,
		`{"e":"ERROR"}`:              `{"e":"error"}`,
		`{"e":null}`:                 `{}`,
		`{"l":"3"}`:                  `{"l":[3]}`,
		`{"l":[3]}`:                  `{"l":[3]}`,
		`{"other":"20"}`:             `{"other":"20"}`,
		`"{\"i\": \"20\"}"`:          `{"i":20}`,
		`null`:                       `{}`,
		`[]`:                         `[]`,
		`"text"`:                     `"text"`,
		``:                           ``,
		`{`:                          `{`,
		`{"i":"20","i":"21","s":"a"`: `{"i":"20","i":"21","s":"a"`,
	} {
		if got := string(coerceObject(json.RawMessage(in), everyType())); got != want {
			t.Errorf("coerceObject(%s) = %s, want %s", in, got, want)
		}
	}
}

// FuzzCoerceObject holds that coercion never panics, keeps valid JSON valid,
// and has nothing left to do the second time.
func FuzzCoerceObject(f *testing.F) {
	for _, seed := range []string{`{"i":"20","n":"1.5","b":"true","s":7,"e":"Note","l":"3"}`, `"{\"i\":\"1\"}"`, `null`, `[`, `{"s":{"s":[]}}`} {
		f.Add([]byte(seed))
	}
	schema := everyType()
	f.Fuzz(func(t *testing.T, in []byte) {
		once := coerceObject(in, schema)
		if json.Valid(in) && !json.Valid(once) {
			t.Fatalf("%q became invalid: %q", in, once)
		}
		if twice := coerceObject(once, schema); string(twice) != string(once) {
			t.Fatalf("%q: once %q, twice %q", in, once, twice)
		}
	})
}

// FuzzCursor holds that any text is either a cursor that a tool could have
// given out or refused with a [UserError].
func FuzzCursor(f *testing.F) {
	f.Add(cursor{Tool: listFindingsName, Offset: 20, Query: "q"}.String())
	f.Add(cursor{Tool: listFindingsName, Offset: -1, Query: "q"}.String())
	f.Add(cursor{Tool: listPilotsName, Offset: 20, Query: "q"}.String())
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		offset, err := offsetOf(text, listFindingsName, "q")
		if user := (*UserError)(nil); err != nil && !errors.As(err, &user) {
			t.Fatalf("%q: %v is not for the model", text, err)
		}
		if err == nil && (offset < 0 || offset > maxOffset) {
			t.Fatalf("%q: offset %d", text, offset)
		}
	})
}

// FuzzState holds that no text is the state of a question but the one that was
// given out, and that one which is signed holds for nothing but what it says.
func FuzzState(f *testing.F) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	s := New(Options{StateKey: []byte("a key of the test"), Clock: func() time.Time { return now }, Rules: func() ([]rules.Page, error) { return nil, nil }})
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "get_pilot_report", Arguments: json.RawMessage(`{}`)}}
	given := s.state("get_pilot_report", req)
	if !s.stateHolds(given, "get_pilot_report", req) {
		f.Fatal("its own state does not hold")
	}
	payload, signature, _ := strings.Cut(given, ".")
	for _, seed := range []string{given, payload, "." + signature, payload + "." + payload, "", "..", given + "=", given + "\n", " " + given} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text != given && s.stateHolds(text, "get_pilot_report", req) {
			t.Fatalf("%q holds", text)
		}
		signed := stateText.EncodeToString([]byte(text)) + "." + stateText.EncodeToString(s.sign([]byte(text)))
		if s.stateHolds(signed, "get_pilot_report", req) {
			want := s.askedNow("get_pilot_report", req)
			var was asked
			if err := json.Unmarshal([]byte(text), &was); err != nil || was.Tool != want.Tool || was.Call != want.Call || was.Who != want.Who || was.Expires < now.Unix() {
				t.Fatalf("%q holds, signed", text)
			}
		}
	})
}

// FuzzText holds that text from a repository leaves short, visible and, where
// it must be, in one line; and that cleaning it twice changes nothing.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"plain", "a\nb", "\u202e\u200b", "\xff", "é́", "−17 %", "\U000E0041", "a  b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, f := range map[string]func(string, int) string{"line": line, "block": block} {
			got := f(s, 50)
			if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 50 {
				t.Fatalf("%s(%q) = %q", name, s, got)
			}
			for _, r := range got {
				if !harmless(r) && (name == "line" || r != '\n' && r != '\t') {
					t.Fatalf("%s(%q) = %q holds %U", name, s, got, r)
				}
			}
			if again := f(got, 50); again != got {
				t.Fatalf("%s(%q) = %q, then %q", name, s, got, again)
			}
		}
	})
}

func TestCompose(t *testing.T) {
	a, b, c := strings.Repeat("a", 100), strings.Repeat("b", 100), strings.Repeat("c", 100)
	pieces := []piece{
		{text: "head"},
		{text: a, rank: 2, what: "a's"},
		{text: b, rank: 1, what: "b's"},
		{text: c, rank: 2, what: "a's"},
	}
	for budget, want := range map[int]string{
		307: "head\n" + a + "\n" + b + "\n" + c,
		306: "head\n" + a + "\n" + b + "\nLeft out here to stay short: a's. See.",
		200: "head\n" + b + "\nLeft out here to stay short: a's (2). See.",
		100: "head\nLeft out here to stay short: a's (2), b's. See.",
		10:  "head\nLeft…",
	} {
		if got := compose(pieces, nil, budget, "See."); got != want {
			t.Errorf("compose within %d = %q, want %q", budget, got, want)
		}
	}
	if got, want := compose(pieces[:1], []string{"d's"}, 100, "See."), "head\nLeft out here to stay short: d's. See."; got != want {
		t.Errorf("compose with something gone = %q, want %q", got, want)
	}
}
