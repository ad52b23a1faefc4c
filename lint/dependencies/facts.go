package dependencies

import (
	"context"
	"time"
)

// Registry answers what is known of packages.
type Registry interface {
	// Lookup returns the facts of each query, in their order. What could not
	// be found out is in the facts; it does not fail.
	Lookup(ctx context.Context, queries []Query) []Facts
}

// Query asks about one package, and about one version of it where Version is
// set: an exact version, a git reference of an action, a tag or digest of an
// image.
type Query struct {
	Ecosystem Ecosystem `json:"ecosystem"`
	Name      string    `json:"name"`
	Version   string    `json:"version,omitempty"`
}

// Existence says whether a package, or a version, is there.
type Existence string

// The answers. Missing is proved: the registry itself said so in its own
// words, or two independent sources agree. The zero value, Unknown, is
// everything else.
const (
	Unknown Existence = ""
	Exists  Existence = "exists"
	Missing Existence = "missing"
)

// Facts are what registries say about one package. Zero values mean "not
// known", never "no".
type Facts struct {
	// Asked names the registry in prose: "npm", "npm mirror mirror.example".
	Asked string `json:"asked,omitempty"`
	// Existence of the name, and why it is not known or how its absence is
	// proved.
	Existence Existence `json:"existence,omitempty"`
	Why       string    `json:"why,omitempty"`
	// Version is the version that the facts below are of: the one asked for,
	// else the newest. VersionExistence is set where one was asked for.
	Version          string    `json:"version,omitempty"`
	VersionExistence Existence `json:"version_existence,omitempty"`
	VersionWhy       string    `json:"version_why,omitempty"`
	// First is when the name was first published, UTC; AgeWhy says why it is
	// not known.
	First  time.Time `json:"first,omitzero"`
	AgeWhy string    `json:"age_why,omitempty"`
	// Downloads of a month, nil where the registry does not count them.
	Downloads *int64 `json:"downloads,omitempty"`
	// Placeholder is set on a name that the registry holds so that nobody can
	// take it, Quarantined on one that it has withdrawn for now; both say what
	// the registry calls it.
	Placeholder string `json:"placeholder,omitempty"`
	Quarantined string `json:"quarantined,omitempty"`
	// Deprecated and Yanked hold what the publisher says, of this version.
	Deprecated string `json:"deprecated,omitempty"`
	Yanked     string `json:"yanked,omitempty"`
	// InstallScript names what runs when the package is installed:
	// "postinstall".
	InstallScript string `json:"install_script,omitempty"`
	// Licences are the licence fields as the registry has them; LicenceKnown
	// is set where it was asked and answered, so that an empty list means
	// "none".
	Licences     []string `json:"licences,omitempty"`
	LicenceKnown bool     `json:"licence_known,omitempty"`
	// Repository is where the source is said to be.
	Repository string `json:"repository,omitempty"`
	// Malicious are the advisories that call exactly this version malicious:
	// "MAL-2025-1".
	Malicious []string `json:"malicious,omitempty"`
	// Unscreened is set where advisories were to be looked up and could not be.
	Unscreened bool `json:"unscreened,omitempty"`
	// Notes are things that a person should know and no judgement rests on.
	Notes []string `json:"notes,omitempty"`
}
