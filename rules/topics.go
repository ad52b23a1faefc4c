package rules

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed topics/*.yaml
var topicFiles embed.FS

// Topic is a question that instructions answer one way or another: which
// package manager, which quotes, whether to commit. Two answers that are both
// meant contradict each other.
type Topic struct {
	Name  string // "quotes", the file's name
	Title string // "quotes of strings", for messages
	// Whole is set where a choice's words hold their own polarity ("never
	// commit"); else "use" or "never" before them gives it.
	Whole bool
	// Label must match the words before a colon for "Label: choice" to take the
	// choice; Bare is set where the choice alone, as an item, takes it too.
	Label *regexp.Regexp
	Bare  bool
	// Facts names what of the repository decides the topic, "" for nothing.
	Facts string
	// Needs must match a sentence for it to be about the topic, nil for none.
	Needs *regexp.Regexp
	// Number finds a number that is the choice; Capture a word. Both take the
	// last group that matched.
	Number, Capture *regexp.Regexp
	Choices         []Choice
	// Hints are texts of which a sentence about the topic must hold one; nil
	// where every sentence may be.
	Hints []string
}

// Choice is one answer to a topic.
type Choice struct {
	Name string
	Say  *regexp.Regexp // its spellings, in lower case, at word boundaries
	// General is set where choices that end in the name are kinds of it: who
	// asks for "2 spaces" asks for "spaces".
	General bool
}

// Holds reports whether who takes the choice a has taken the choice b with it:
// they are one, or b is general and a is a kind of it.
func (t *Topic) Holds(a, b string) bool {
	return a == b || strings.HasSuffix(a, " "+b) && slices.ContainsFunc(t.Choices, func(c Choice) bool { return c.General && c.Name == b })
}

// Agree reports whether two choices can be taken together.
func (t *Topic) Agree(a, b string) bool { return t.Holds(a, b) || t.Holds(b, a) }

type topicRow struct {
	Name    string      `yaml:"name"`
	Title   string      `yaml:"title"`
	Whole   bool        `yaml:"whole"`
	Bare    bool        `yaml:"bare"`
	Label   string      `yaml:"label"`
	Facts   string      `yaml:"facts"`
	Needs   string      `yaml:"needs"`
	Number  string      `yaml:"number"`
	Capture string      `yaml:"capture"`
	Choices []choiceRow `yaml:"choices"`
}

type choiceRow struct {
	Name string   `yaml:"name"`
	Say  []string `yaml:"say"`
	// General as in Choice.
	General bool `yaml:"general"`
}

var loadTopics = sync.OnceValues(func() ([]Topic, error) { return readTopics(topicFiles) })

// Topics returns every topic in the order of its name. They are decoded once;
// the caller must not change them.
func Topics() ([]Topic, error) { return loadTopics() }

func readTopics(fsys fs.FS) ([]Topic, error) {
	names, err := fs.Glob(fsys, "topics/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list topics: %w", err)
	}
	var all []Topic
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read topic: %w", err)
		}
		t, err := parseTopic(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if want := "topics/" + t.Name + ".yaml"; want != name {
			return nil, fmt.Errorf("%s: name %q belongs into %s", name, t.Name, want)
		}
		all = append(all, t)
	}
	return all, nil
}

func parseTopic(text []byte) (Topic, error) {
	var row topicRow
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&row); err != nil {
		return Topic{}, fmt.Errorf("read topic: %w", err)
	}
	t := Topic{Name: row.Name, Title: row.Title, Whole: row.Whole, Bare: row.Bare, Facts: row.Facts}
	if t.Name == "" || t.Title == "" {
		return Topic{}, fmt.Errorf("a topic needs a name and a title")
	}
	var err error
	for _, form := range []struct {
		text string
		into **regexp.Regexp
	}{{row.Needs, &t.Needs}, {row.Label, &t.Label}, {row.Number, &t.Number}, {row.Capture, &t.Capture}} {
		if form.text == "" {
			continue
		}
		if *form.into, err = regexp.Compile(form.text); err != nil {
			return Topic{}, fmt.Errorf("expression %q: %w", form.text, err)
		}
	}
	forms := []string{}
	if row.Number != "" {
		forms = append(forms, row.Number)
	}
	if row.Capture != "" {
		forms = append(forms, row.Capture)
	}
	if len(row.Choices) < 2 && t.Number == nil && t.Capture == nil {
		return Topic{}, fmt.Errorf("needs two choices, a number or a capture")
	}
	for _, c := range row.Choices {
		choice := Choice{Name: c.Name, General: c.General}
		form := ""
		for i, say := range c.Say {
			if i > 0 {
				form += "|"
			}
			form += say
		}
		if c.Name == "" || form == "" {
			return Topic{}, fmt.Errorf("choice %q has no spelling", c.Name)
		}
		if choice.Say, err = regexp.Compile(`(?:^|[^\w./@-])(` + form + `)(?:$|[^\w/.:@-]|[.:](?:\W|$))`); err != nil {
			return Topic{}, fmt.Errorf("choice %q: %w", c.Name, err)
		}
		t.Choices = append(t.Choices, choice)
		forms = append(forms, form)
	}
	for _, form := range forms {
		of := RequiredTexts(form)
		if of == nil {
			t.Hints = nil
			break
		}
		t.Hints = append(t.Hints, of...)
	}
	return t, nil
}
