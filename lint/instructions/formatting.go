package instructions

import (
	"path"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// formatting returns what the formatter's settings decide about a directive, or
// else the editor's, where nothing says that it is about less than all that
// they are for.
func formatting(p *lint.Pass, d *Doc, x *Directive) (setting, bool) {
	languages := x.Scope
	var s setting
	var ok bool
	switch {
	case languages == "" || onlyScript.MatchString(languages):
		s, ok = prettier(p, d, x.Topic.Facts)
	case languages == "python":
		s, ok = pythonFormatter(p, x.Topic.Facts)
	}
	if ok {
		return s, true
	}
	return editorConfig(p, d, x)
}

var onlyScript = compile(`^(?:(?:typescript|javascript|tsx?|jsx?|react|node)\|?)+$`)

// prettierSettings are the keys of Prettier that a topic asks for. Defaults are
// not counted: who relies on them may have overrides elsewhere.
type prettierSettings struct {
	SingleQuote *bool `yaml:"singleQuote"`
	Semi        *bool `yaml:"semi"`
	UseTabs     *bool `yaml:"useTabs"`
	TabWidth    *int  `yaml:"tabWidth"`
	PrintWidth  *int  `yaml:"printWidth"`
	Overrides   any   `yaml:"overrides"`
}

// maxSettings bounds a formatter's settings.
const maxSettings = 16 << 10

// prettier reads Prettier's settings. JSON is YAML too, so one reader does for
// both of its forms.
func prettier(p *lint.Pass, d *Doc, topic string) (setting, bool) {
	for _, dir := range above(home(d.File.Path)) {
		for _, name := range []string{".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml"} {
			f, ok := p.Named(path.Join(dir, name))
			if !ok {
				continue
			}
			src, err := f.Bytes()
			var s prettierSettings
			if err != nil || len(src) > maxSettings || nested(src) || yaml.Unmarshal(src, &s) != nil || s.Overrides != nil {
				return setting{}, false
			}
			return s.about(f, topic)
		}
	}
	return setting{}, false
}

func (s *prettierSettings) about(f *lint.File, topic string) (setting, bool) {
	yesNo := func(v *bool, yes, no string) (setting, bool) {
		if v == nil {
			return setting{}, false
		}
		if *v {
			return setting{choice: yes, file: f}, true
		}
		return setting{choice: no, file: f}, true
	}
	switch {
	case topic == "quotes":
		return yesNo(s.SingleQuote, "single quotes", "double quotes")
	case topic == "semicolons":
		return yesNo(s.Semi, "semicolons", "no semicolons")
	case topic == "indentation" && s.UseTabs != nil && *s.UseTabs:
		return setting{choice: "tabs", file: f}, true
	case topic == "indentation" && s.TabWidth != nil:
		return setting{choice: strconv.Itoa(*s.TabWidth) + " spaces", file: f}, true
	case topic == "line-length" && s.PrintWidth != nil:
		return setting{choice: strconv.Itoa(*s.PrintWidth), file: f}, true
	}
	return setting{}, false
}

var pythonLineLength = compile(`(?m)^line[-_]length\s*=\s*(\d+)`)

// pythonFormatter reads the line length of Ruff and Black.
func pythonFormatter(p *lint.Pass, topic string) (setting, bool) {
	if topic != "line-length" {
		return setting{}, false
	}
	for _, name := range []string{"ruff.toml", ".ruff.toml", "pyproject.toml"} {
		f, ok := p.Named(name)
		if !ok {
			continue
		}
		src, err := f.Bytes()
		if err != nil {
			return setting{}, false
		}
		all := pythonLineLength.re().FindAllSubmatchIndex(src, 2)
		if len(all) == 1 {
			m := all[0]
			return setting{choice: strings.TrimSpace(string(src[m[2]:m[3]])), file: f, at: lint.Span{Start: m[2], End: m[3]}}, true
		}
		if len(all) > 1 {
			return setting{}, false
		}
	}
	return setting{}, false
}
