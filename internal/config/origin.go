package config

import "fmt"

// OriginKind says which kind of place a value came from.
type OriginKind string

// The places, weakest first.
const (
	FromDefault     OriginKind = "default"
	FromFile        OriginKind = "file"
	FromEnvironment OriginKind = "environment"
	FromFlag        OriginKind = "flag"
)

// Origin says where a value came from.
type Origin struct {
	Kind OriginKind `json:"kind"`
	// Name is the file, the environment variable or the flag.
	Name string `json:"name,omitempty"`
	// Line is the line in the file.
	Line int `json:"line,omitempty"`
}

// String is "default", "steelyard.yaml:3", "STEELYARD_DATABASE" or "--db".
func (o Origin) String() string {
	switch {
	case o.Kind == FromDefault || o.Kind == "":
		return string(FromDefault)
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	}
	return o.Name
}

// Setting is one effective value and where it came from.
type Setting struct {
	Key string `json:"key"`
	// Value is a string, a float64, a bool, or a list in words.
	Value  any    `json:"value"`
	Origin Origin `json:"origin"`
	// Env is the environment variable that can set it; empty for lists.
	Env string `json:"env,omitempty"`
}

// Origin returns where the value of a dotted path came from.
func (c *Config) Origin(key string) Origin { return c.origins[key] }

// Settings lists every setting in the order of the manual. A database URL is
// given as it is: whoever prints it hides the password.
func (c *Config) Settings() []Setting {
	values := c.values()
	var all []Setting
	for _, l := range leaves(settings(), "") {
		all = append(all, Setting{Key: l.path, Value: values[l.path], Origin: c.origins[l.path], Env: l.env})
	}
	return all
}

func (l Lint) ruleWords() []string {
	words := []string{}
	for _, r := range l.Rules {
		words = append(words, r.Rule+": "+r.Severity)
	}
	return words
}

func (l Lint) suppressionWords() []string {
	words := []string{}
	for _, s := range l.Suppressions {
		w := s.Rule + " in " + s.Path
		if s.Finding > 0 {
			w += fmt.Sprintf(":%d", s.Finding)
		}
		if !s.Until.IsZero() {
			w += " until " + s.Until.Format("2006-01-02")
		}
		if s.Reason == "" {
			words = append(words, w+", not applied: it has no reason")
			continue
		}
		words = append(words, w+" because "+s.Reason)
	}
	return words
}

// Keys returns the dotted path of every setting, table or list element key, in
// the order of the manual, for tests of documentation.
func Keys() []string { return paths(settings(), "") }

func paths(s shape, prefix string) []string {
	var all []string
	for _, k := range s.keys {
		path := join(prefix, k.name)
		all = append(all, path)
		all = append(all, paths(k.shape, path)...)
		if k.element != nil {
			all = append(all, paths(*k.element, path+"[]")...)
		}
	}
	return all
}

// Environment returns the environment variables that set a value, in the
// order of the manual.
func Environment() []string {
	var all []string
	for _, l := range leaves(settings(), "") {
		if l.env != "" {
			all = append(all, l.env)
		}
	}
	return all
}
