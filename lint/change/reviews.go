package change

import (
	"slices"
	"strings"
)

// answer is yes, no, or not known.
type answer int

const (
	no answer = iota
	yes
	unknown
)

// among reports whether a person is one of some people and teams.
func (c *Change) among(who Account, list []string) answer {
	result := no
	for _, name := range list {
		bare := strings.TrimPrefix(name, "@")
		switch {
		case !strings.HasPrefix(name, "@"): // a mail address in CODEOWNERS
			result = unknown
		case !strings.Contains(bare, "/"):
			if strings.EqualFold(bare, who.Login) {
				return yes
			}
		default:
			members, read := c.team(name)
			if !read {
				result = unknown
			} else if slices.ContainsFunc(members, func(m string) bool { return strings.EqualFold(m, who.Login) }) {
				return yes
			}
		}
	}
	return result
}

func (c *Change) team(name string) (members []string, read bool) {
	for known, members := range c.Teams {
		if strings.EqualFold(known, name) {
			return members, true
		}
	}
	return nil, false
}

// unread names the teams of a list that could not be read.
func (c *Change) unread(list []string) []string {
	var names []string
	for _, name := range list {
		if _, read := c.team(name); !read && strings.HasPrefix(name, "@") && strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}

// whyUnknown says why it is not known who is meant by a list.
func (c *Change) whyUnknown(list []string) string {
	if names := c.unread(list); len(names) > 0 {
		return "the members of " + listed(names, "and") + " could not be read"
	}
	return "a mail address names no account"
}

// reviewsUnknown says why reviews are not known.
func (c *Change) reviewsUnknown() string {
	if c.Unknown != "" {
		return c.Unknown
	}
	return "the reviews are not known"
}

// at writes logins as they are called out.
func at(accounts []Account) []string {
	var names []string
	for _, a := range accounts {
		names = append(names, "@"+a.Login)
	}
	return names
}
