package rules

import (
	"strings"
	"testing"
)

func TestTopics(t *testing.T) {
	topics, err := Topics()
	if err != nil {
		t.Fatal(err)
	}
	const least = 25
	if len(topics) < least {
		t.Errorf("%d topics, want at least %d", len(topics), least)
	}
	titles := map[string]string{}
	for _, topic := range topics {
		if other, twice := titles[topic.Title]; twice {
			t.Errorf("topics %s and %s have one title", topic.Name, other)
		}
		titles[topic.Title] = topic.Name
		if len(topic.Hints) == 0 {
			t.Errorf("topic %s has no text that its sentences must hold", topic.Name)
		}
		for _, c := range topic.Choices {
			if c.Say.MatchString("") {
				t.Errorf("topic %s: choice %q matches nothing at all", topic.Name, c.Name)
			}
		}
	}
}

func TestTopicsAreStrict(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown_key", "name: a\ntitle: b\nchoice: []", "choice"},
		{"no_title", "name: a\nchoices: []", "a name and a title"},
		{"one_choice", "name: a\ntitle: b\nchoices: [{name: x, say: [x]}]", "two choices"},
		{"no_spelling", "name: a\ntitle: b\nchoices: [{name: x, say: [x]}, {name: y, say: []}]", "no spelling"},
		{"expression", "name: a\ntitle: b\nneeds: '('\nchoices: []", "expression"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseTopic([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}
