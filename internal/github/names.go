package github

import "strings"

// cutName cuts "owner/name"; both are empty where there is no slash.
func cutName(nameWithOwner string) (owner, name string) {
	owner, name, ok := strings.Cut(nameWithOwner, "/")
	if !ok {
		return "", ""
	}
	return owner, name
}
