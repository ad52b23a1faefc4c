package signin

import "slices"

// Role is what somebody may do on the dashboard.
type Role string

// The roles. A viewer reads, an admin changes pilots and takes decisions.
const (
	Viewer Role = "viewer"
	Admin  Role = "admin"
)

// Everybody lets in whoever the provider knows, where it stands among the
// viewers.
const Everybody = "*"

// Roles says which groups have which role.
type Roles struct {
	// Viewers and Admins are names of groups as the provider writes them; for
	// GitHub an organisation ("acme") or a team ("acme/platform").
	Viewers, Admins []string
}

// of is the role of somebody with these groups; ok is false where they have
// none.
func (r Roles) of(groups []string) (role Role, ok bool) {
	for _, g := range groups {
		if slices.Contains(r.Admins, g) {
			return Admin, true
		}
	}
	if slices.Contains(r.Viewers, Everybody) {
		return Viewer, true
	}
	for _, g := range groups {
		if slices.Contains(r.Viewers, g) {
			return Viewer, true
		}
	}
	return "", false
}
