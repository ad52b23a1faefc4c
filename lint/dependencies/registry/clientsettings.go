package registry

import (
	"encoding/xml"
	"strings"

	"github.com/BurntSushi/toml"
)

// The settings files of the ecosystems' clients: each function returns the
// registry that a text names, "" for none.

// npmrcRegistry reads "registry=…" of an .npmrc.
func npmrcRegistry(text string) string { return webAddress(iniValue(text, "registry")) }

// iniValue reads the first "key = value" of a text, whatever its section.
func iniValue(text, key string) string {
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && strings.TrimSpace(name) == key {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// uvSettings is what matters here of a uv.toml.
type uvSettings struct {
	IndexURL string   `toml:"index-url"`
	Extra    []string `toml:"extra-index-url"`
	Index    []struct {
		URL     string `toml:"url"`
		Default bool   `toml:"default"`
	} `toml:"index"`
}

func uvFurther(text string) bool {
	var c uvSettings
	_, err := toml.Decode(text, &c)
	return err == nil && (len(c.Extra) > 0 || len(c.Index) > 1 || len(c.Index) == 1 && !c.Index[0].Default)
}

func uvIndex(text string) string {
	var c uvSettings
	if _, err := toml.Decode(text, &c); err != nil {
		return ""
	}
	for _, i := range c.Index {
		if i.Default {
			return i.URL
		}
	}
	return c.IndexURL
}

func cargoReplacement(text string) string {
	var c struct {
		Source map[string]struct {
			ReplaceWith string `toml:"replace-with"`
			Registry    string `toml:"registry"`
		} `toml:"source"`
	}
	if _, err := toml.Decode(text, &c); err != nil {
		return ""
	}
	by := c.Source[c.Source["crates-io"].ReplaceWith].Registry
	return webAddress(strings.TrimPrefix(by, "sparse+"))
}

// gemSource reads the first of ":sources:" of a .gemrc.
func gemSource(text string) string {
	_, rest, ok := strings.Cut(text, ":sources:")
	if !ok {
		return ""
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if address, ok := strings.CutPrefix(line, "- "); ok {
			return webAddress(strings.Trim(address, `"' `))
		}
		if line != "" {
			return ""
		}
	}
	return ""
}

// nugetSettings is what matters here of a NuGet.Config.
type nugetSettings struct {
	Sources struct {
		Add []struct {
			Value string `xml:"value,attr"`
		} `xml:"add"`
	} `xml:"packageSources"`
}

// nugetSources counts the sources of a NuGet.Config.
func nugetSources(text string) int {
	var c nugetSettings
	_ = xml.Unmarshal([]byte(text), &c) // settings that cannot be read name none
	return len(c.Sources.Add)
}

func nugetSource(text string) string {
	var c nugetSettings
	if err := xml.Unmarshal([]byte(text), &c); err != nil {
		return ""
	}
	for _, s := range c.Sources.Add {
		if strings.HasSuffix(s.Value, "index.json") {
			return webAddress(s.Value)
		}
	}
	return ""
}

func mavenMirror(text string) string {
	var c struct {
		Mirrors []struct {
			Of  string `xml:"mirrorOf"`
			URL string `xml:"url"`
		} `xml:"mirrors>mirror"`
	}
	if err := xml.Unmarshal([]byte(text), &c); err != nil {
		return ""
	}
	for _, m := range c.Mirrors {
		for _, of := range strings.Split(m.Of, ",") {
			switch strings.TrimSpace(of) {
			case "*", "central", "external:*", "external:http:*":
				return webAddress(strings.TrimSpace(m.URL))
			}
		}
	}
	return ""
}
