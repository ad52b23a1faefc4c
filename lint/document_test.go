package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

// outline writes a document as one line a value: path, kind, place as
// line:column-line:column, text.
func outline(src string, n *Node) string {
	f := &File{read: true, data: []byte(src)}
	var b strings.Builder
	var add func(path string, n *Node)
	add = func(path string, n *Node) {
		l1, c1 := f.Position(n.At.Start)
		l2, c2 := f.Position(n.At.End)
		fmt.Fprintf(&b, "%s %d:%d-%d:%d", path, l1, c1, l2, c2)
		switch n.Kind {
		case Object, Array:
			fmt.Fprintf(&b, " %c\n", "?{["[n.Kind])
		default:
			fmt.Fprintf(&b, " %q\n", n.Text)
		}
		for _, m := range n.Members {
			add(path+"."+m.Name, m.Value)
		}
		for i, e := range n.Elements {
			add(fmt.Sprintf("%s[%d]", path, i), e)
		}
	}
	if n == nil {
		return "none\n"
	}
	add("$", n)
	return b.String()
}

func TestParseJSON(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"values": {`{"a": [1, true, null, "x"], "b": {}}`, `
$ 1:1-1:37 {
$.a 1:7-1:27 [
$.a[0] 1:8-1:9 "1"
$.a[1] 1:11-1:15 "true"
$.a[2] 1:17-1:21 "null"
$.a[3] 1:23-1:26 "x"
$.b 1:34-1:36 {
`},
		"comments-and-commas": {"// head\n{\n  /* a */ \"a\": 1, // tail\n}\n", `
$ 2:1-4:2 {
$.a 3:16-3:17 "1"
`},
		"byte-order-mark": {"\ufeff{\"a\": \"é\"}", `
$ 1:4-1:15 {
$.a 1:10-1:14 "é"
`},
		"duplicates":   {`{"a": 1, "a": 2}`, "\n$ 1:1-1:17 {\n$.a 1:7-1:8 \"1\"\n$.a 1:15-1:16 \"2\"\n"},
		"escapes":      {`["A\n\ud83d\ude00"]`, "\n$ 1:1-1:20 [\n$[0] 1:2-1:19 \"A\\n😀\"\n"},
		"empty":        {"", "\nnone\n"},
		"comments":     {"// {\n/* } */\n", "\nnone\n"},
		"slash-string": {`["// no comment", "/* none */"]`, "\n$ 1:1-1:32 [\n$[0] 1:2-1:17 \"// no comment\"\n$[1] 1:19-1:31 \"/* none */\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := ParseJSON([]byte(test.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want[1:], outline(test.src, n)); diff != "" {
				t.Errorf("document differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseTOML(t *testing.T) {
	src := `# head
title = "a \"b\""
'quoted key' . b = 'lit\eral'
[mcp_servers.files] # comment
command = "npx"
args = [
  "-y", # one
  "x",
]
env = { A = "1", "B" = '''two''' }
[mcp_servers.files.more]
n = 1_000
text = """
first \
   second"""
[[list]]
a = 1979-05-27 07:32:00
[[list]]
a = [{x = 1}, {x = 2}]
`
	want := `
$ 1:1-20:1 {
$.title 2:9-2:18 "a \"b\""
$.quoted key 3:1-3:13 {
$.quoted key.b 3:20-3:30 "lit\\eral"
$.mcp_servers 4:2-4:13 {
$.mcp_servers.files 4:14-4:19 {
$.mcp_servers.files.command 5:11-5:16 "npx"
$.mcp_servers.files.args 6:8-9:2 [
$.mcp_servers.files.args[0] 7:3-7:7 "-y"
$.mcp_servers.files.args[1] 8:3-8:6 "x"
$.mcp_servers.files.env 10:7-10:35 {
$.mcp_servers.files.env.A 10:13-10:16 "1"
$.mcp_servers.files.env.B 10:24-10:33 "two"
$.mcp_servers.files.more 11:20-11:24 {
$.mcp_servers.files.more.n 12:5-12:10 "1_000"
$.mcp_servers.files.more.text 13:8-15:13 "first second"
$.list 16:3-16:7 [
$.list[0] 16:3-16:7 {
$.list[0].a 17:5-17:24 "1979-05-27 07:32:00"
$.list[1] 18:3-18:7 {
$.list[1].a 19:5-19:23 [
$.list[1].a[0] 19:6-19:13 {
$.list[1].a[0].x 19:11-19:12 "1"
$.list[1].a[1] 19:15-19:22 {
$.list[1].a[1].x 19:20-19:21 "2"
`
	n, err := ParseTOML([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[1:], outline(src, n)); diff != "" {
		t.Errorf("document differs (-want +got):\n%s", diff)
	}
}

func TestSyntaxErrors(t *testing.T) {
	deep := strings.Repeat("[", 200)
	for name, test := range map[string]struct {
		parse func([]byte) (*Node, error)
		src   string
		line  int
		want  string
	}{
		"json-missing-comma": {ParseJSON, "{\n \"a\": 1\n \"b\": 2}", 3, "after object value"},
		"json-open":          {ParseJSON, "{\n", 2, "unexpected EOF"},
		"json-two-values":    {ParseJSON, "{}\n{}", 2, "after top-level value"},
		"json-deep":          {ParseJSON, deep, 1, "levels deep"},
		"json-lone-comment":  {ParseJSON, "/* open", 1, ""},
		"toml-open-array":    {ParseTOML, "a = [1,\n", 1, ""},
		"toml-duplicate":     {ParseTOML, "a = 1\na = 2\n", 2, "defined"},
		"toml-deep":          {ParseTOML, "a = " + deep, 1, "levels deep"},
		"toml-tables":        {ParseTOML, strings.Repeat("[[a]]\n", 300_000), 10_001, "more than 20000 keys and tables"},
		"toml-keys":          {ParseTOML, strings.Repeat("a = 1\n", 300_000), 20_001, "more than 20000 keys and tables"},
		"toml-deep-key":      {ParseTOML, strings.Repeat("a.", 200) + "a = 1", 1, "levels deep"},
		"toml-secret":        {ParseTOML, "a = q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1\n", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.parse([]byte(test.src))
			var syntax *SyntaxError
			if name == "json-lone-comment" && err == nil {
				return // a document of comments alone has no value
			}
			if !errors.As(err, &syntax) {
				t.Fatalf("error is %v", err)
			}
			f := &File{read: true, data: []byte(test.src)}
			if line, _ := f.Position(syntax.Offset); line != test.line || !strings.Contains(syntax.Message, test.want) {
				t.Errorf("line %d, %q; want line %d, %q", line, syntax.Message, test.line, test.want)
			}
			if strings.Contains(syntax.Message, "q7Zt2mWx") {
				t.Errorf("the message shows the document: %q", syntax.Message)
			}
		})
	}
}

func TestSubPlaces(t *testing.T) {
	src := `["plain", "es\u0063aped"]`
	n, err := ParseJSON([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if at := n.Elements[0].Sub(1, 4); src[at.Start:at.End] != "lai" {
		t.Errorf("part of a plain string is %q", src[at.Start:at.End])
	}
	if at := n.Elements[1].Sub(1, 4); at != n.Elements[1].At {
		t.Errorf("part of an escaped string is %v, want the whole %v", at, n.Elements[1].At)
	}
}

// FuzzJSON holds the reader to the standard library: what is JSON after
// comments and commas are taken out has the same values here, and every place
// is that of its value.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "b@1.2.3"]}}}`, "// a\n{\"a\": 1,}", "\ufeff[]",
		`{"a":1,"a":{"b":"\ud83d\ude00\u0000"}}`, `["//", "/*"]`, "", "/* */", "[[[[", `{"a": 1e400}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := ParseJSON(src)
		if err != nil {
			checkSyntaxError(t, src, err)
			return
		}
		checkPlaces(t, src, n)
		plain, err := hujson.Standardize([]byte(strings.TrimPrefix(string(src), "\ufeff")))
		if err != nil || n == nil {
			return
		}
		var want any
		dec := json.NewDecoder(strings.NewReader(string(plain)))
		dec.UseNumber()
		if dec.Decode(&want) != nil {
			return // numbers and depths that one of the two refuses
		}
		if diff := cmp.Diff(want, jsonValue(n)); diff != "" {
			t.Errorf("values differ (-want +got):\n%s", diff)
		}
	})
}

func jsonValue(n *Node) any {
	switch n.Kind {
	case Object:
		m := map[string]any{}
		for _, member := range n.Members {
			m[member.Name] = jsonValue(member.Value)
		}
		return m
	case Array:
		list := []any{}
		for _, e := range n.Elements {
			list = append(list, jsonValue(e))
		}
		return list
	case String:
		return n.Text
	default:
	}
	switch n.Text {
	case "null":
		return nil
	case "true", "false":
		return n.Text == "true"
	}
	return json.Number(n.Text)
}

// FuzzTOML holds the second reader to the first: whatever BurntSushi accepts
// is located, with the same strings, tables and arrays. TOML is UTF-8; BurntSushi
// passes over the two bytes by which UTF-16 begins, and this reader does not.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{
		"[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"a\", 'b']\n", "a.b.\"c d\" = {x = 1, y = [1, 2,],}\n", "[[a]]\n[[a]]\n[a.b]\nc=1",
		"a = \"\"\"\n\\\n  x\"\"\"\"\"\n", "a = '''\r\nx'''''\n", "\"a\\u0062\" = 1979-05-27 07:32:00\n", "a = {\n # c\n x = 1\n}\n", "\ufeffa=1", "a = nan\nb=[{}]", "\xff\xfe",
		"a = \"\\x41\\e\\U0001F600\"\n[ x . y ]\n", "# steelyard\n\n", "a = 1 # c\r\nb=2",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := ParseTOML(src)
		var want map[string]any
		_, valid := toml.Decode(strings.TrimPrefix(string(src), "\ufeff"), &want)
		if err != nil {
			checkSyntaxError(t, src, err)
			if valid == nil && utf8.Valid(src) && !strings.Contains(err.Error(), "levels deep") && !strings.HasPrefix(string(src), "\ufeff") {
				t.Fatalf("%q is valid TOML and was not located: %v", src, err)
			}
			return
		}
		checkPlaces(t, src, n)
		if valid == nil {
			compareTOML(t, "$", want, n)
		}
	})
}

func compareTOML(t *testing.T, path string, want any, n *Node) {
	t.Helper()
	if n == nil {
		t.Fatalf("%s is missing, want %v", path, want)
	}
	switch want := want.(type) {
	case map[string]any:
		if n.Kind != Object || len(n.Members) != len(want) {
			t.Fatalf("%s is kind %d with %d members, want %v", path, n.Kind, len(n.Members), want)
		}
		for name, value := range want {
			compareTOML(t, path+"."+strconv.Quote(name), value, n.Get(name))
		}
	case []map[string]any:
		if n.Kind != Array || len(n.Elements) != len(want) {
			t.Fatalf("%s has %d elements, want %v", path, len(n.Elements), want)
		}
		for i, value := range want {
			compareTOML(t, fmt.Sprintf("%s[%d]", path, i), value, n.Elements[i])
		}
	case []any:
		if n.Kind != Array || len(n.Elements) != len(want) {
			t.Fatalf("%s has %d elements, want %v", path, len(n.Elements), want)
		}
		for i, value := range want {
			compareTOML(t, fmt.Sprintf("%s[%d]", path, i), value, n.Elements[i])
		}
	case string:
		if n.Kind != String || n.Text != want {
			t.Fatalf("%s is kind %d %q, want %q", path, n.Kind, n.Text, want)
		}
	case int64:
		if got, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64); err == nil && got != want {
			t.Fatalf("%s is %s, want %d", path, n.Text, want)
		}
	case float64:
		if got, err := strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64); err == nil && got != want && !math.IsNaN(want) {
			t.Fatalf("%s is %s, want %v", path, n.Text, want)
		}
	default:
		if n.Kind != Scalar {
			t.Fatalf("%s is kind %d, want %v", path, n.Kind, want)
		}
	}
}

func checkSyntaxError(t *testing.T, src []byte, err error) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(src) {
		t.Fatalf("error %#v of %d bytes", err, len(src))
	}
}

// checkPlaces wants every place inside the document, and a plain string's text
// at its place.
func checkPlaces(t *testing.T, src []byte, n *Node) {
	t.Helper()
	if n == nil {
		return
	}
	if n.At.Start < 0 || n.At.End > len(src) || n.At.Start > n.At.End {
		t.Fatalf("place %v of %d bytes", n.At, len(src))
	}
	if n.Kind == String && n.plain >= 0 {
		if at := n.Sub(0, len(n.Text)); string(src[at.Start:at.End]) != n.Text {
			t.Fatalf("%q stands at %v, which is %q", n.Text, at, src[at.Start:at.End])
		}
	}
	for _, m := range n.Members {
		checkPlaces(t, src, m.Value)
	}
	for _, e := range n.Elements {
		checkPlaces(t, src, e)
	}
}

// FuzzComments wants comments in order, inside the file, and none that a
// second reading finds elsewhere.
func FuzzComments(f *testing.F) {
	for _, seed := range []string{
		"{ // steelyard: ignore MC001 because x\n}", "a = '#' # steelyard: ignore MC001 until 2027-01-01 because x",
		"---\n# a\n---\n<!-- a\nb -->\n```\n<!-- c -->\n```\n`<!-- d -->`", "* @a # b", "<!--", "/*", "`` ` <!-- -->",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, name := range []string{"a.json", "a.toml", "a.md", "a.yml", "CODEOWNERS", ".cursorrules"} {
			file := &File{Path: name, read: true, data: []byte(src)}
			end := 0
			for _, c := range comments(file, file.data) {
				if c.at.Start < end || c.at.End > len(src) || c.at.End < c.at.Start {
					t.Fatalf("%s: comment at %v after %d of %d", name, c.at, end, len(src))
				}
				end = c.at.End
				parseSuppression(c.text)
			}
			inFile(file)
		}
	})
}

// TestDocumentsCostWhatTheyWeigh holds that no document of a few hundred
// kilobytes takes seconds: these once cost the square of their size.
func TestDocumentsCostWhatTheyWeigh(t *testing.T) {
	var keys strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&keys, "k%d.z=1\n", i)
	}
	for name, read := range map[string]func(){
		"dotted keys":   func() { _, _ = ParseTOML([]byte(keys.String())) },
		"open comments": func() { markdownComments(bytes.Repeat([]byte("<!--\n"), 600_000)) },
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			read()
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
