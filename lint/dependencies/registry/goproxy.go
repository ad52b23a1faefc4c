package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"steelyard/lint/dependencies"
)

// goInfo is the answer to ".info".
type goInfo struct {
	Version string
	Time    time.Time
}

// goproxy asks a module proxy. 404 and 410 mean "not there"; the proxy's own
// says so in words, a mirror's is empty or a 403.
func (r *Registry) goproxy(ctx context.Context, q dependencies.Query, a Address) result {
	escaped, err := module.EscapePath(q.Name)
	if err != nil {
		return result{Facts: dependencies.Facts{Existence: dependencies.Missing, Why: "it is no module path: " + firstLine(err.Error())}}
	}
	base := a.URL + "/" + escaped + "/@v/"
	f := dependencies.Facts{Existence: dependencies.Exists, Version: q.Version}
	versions, list := r.goList(ctx, base)
	var info goInfo
	if q.Version != "" {
		var res result
		info, res = r.goInfo(ctx, base, q.Version)
		switch {
		case res.Existence == dependencies.Exists:
			f.VersionExistence = dependencies.Exists
		case res.absent && list.Existence == dependencies.Exists && len(versions) > 0 && res.own && a.Canonical:
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it knows %s, and not this one", versionCount(len(versions)))
		case res.absent && list.absent:
			list.own = list.own && res.own
			return list
		case list.Existence == dependencies.Exists:
			f.VersionWhy = describeGo(res)
		case list.absent:
			return res
		default:
			return unknown(list.Why)
		}
	} else if list.Existence != dependencies.Exists {
		return list
	}
	r.goAge(ctx, base, versions, info, &f)
	r.goModFile(ctx, base, versions, &f)
	return result{Facts: f}
}

func describeGo(res result) string {
	if res.absent {
		return fmt.Sprintf("the proxy answered %d, as mirrors do for versions that exist", res.status)
	}
	return res.Why
}

// goList asks for the released versions, oldest first.
func (r *Registry) goList(ctx context.Context, base string) ([]string, result) {
	ans := r.client.send(ctx, request{url: base + "list", accept: "text/plain"})
	defer ans.close()
	if ans.failed != "" {
		return nil, unknown(ans.failed)
	}
	if ans.absent() {
		return nil, result{absent: true, own: goOwn404(ans.text()), status: ans.status}
	}
	body, why := ans.readText()
	if why != "" {
		return nil, unknown(why)
	}
	var versions []string
	for _, v := range strings.Fields(body) {
		if !semver.IsValid(v) {
			return nil, unknown("its answer is not a list of versions")
		}
		if !module.IsPseudoVersion(v) {
			versions = append(versions, v)
		}
	}
	semver.Sort(versions)
	return versions, result{Facts: dependencies.Facts{Existence: dependencies.Exists}}
}

// goOwn404 reports whether a 404 or 410 has the proxy's own words.
func goOwn404(body string) bool {
	return strings.Contains(body, "not found") || strings.Contains(body, "no matching versions") || strings.Contains(body, "invalid version")
}

func (r *Registry) goInfo(ctx context.Context, base, version string) (goInfo, result) {
	escaped, err := module.EscapeVersion(version)
	if err != nil {
		return goInfo{}, unknown("it is no version: " + firstLine(err.Error()))
	}
	ans := r.client.send(ctx, request{url: base + escaped + ".info", accept: "application/json"})
	defer ans.close()
	if ans.failed != "" {
		return goInfo{}, unknown(ans.failed)
	}
	if ans.absent() {
		return goInfo{}, result{absent: true, own: goOwn404(ans.text()), status: ans.status}
	}
	var info goInfo
	if why := decode(ans, &info); why != "" {
		return goInfo{}, unknown(why)
	}
	if info.Version == "" {
		return goInfo{}, unknown("its answer names no version")
	}
	return info, result{Facts: dependencies.Facts{Existence: dependencies.Exists}}
}

// goAge takes the time of the oldest release. A module of commits alone gives
// the time of one commit, which tells only that it is at least that old. Times
// are those of commits, which their author may set.
func (r *Registry) goAge(ctx context.Context, base string, versions []string, asked goInfo, f *dependencies.Facts) {
	oldest := asked
	if len(versions) > 0 {
		info, res := r.goInfo(ctx, base, versions[0])
		if res.Existence != dependencies.Exists {
			f.AgeWhy = "the proxy does not give the time of the oldest version"
			if asked.Time.IsZero() {
				return
			}
		} else {
			oldest = info
		}
		if f.Version == "" {
			f.Version = newest(versions)
		}
		if r.goCopied(ctx, base, versions, oldest) {
			f.AgeWhy = fmt.Sprintf("%s have the same time, as on mirrors that give the time of copying", versionCount(len(versions)))
			return
		}
	}
	const tells = 180 * 24 * time.Hour
	switch {
	case oldest.Time.IsZero():
		f.AgeWhy = "the proxy gives no time"
	case len(versions) == 0 && r.options.Now().Sub(oldest.Time) < tells, f.AgeWhy != "" && r.options.Now().Sub(oldest.Time) < tells:
		f.AgeWhy = "the proxy lists no releases, only the commit that is used"
	default:
		f.First, f.AgeWhy = oldest.Time.UTC(), ""
	}
}

// goCopied reports whether a module that seems new has many versions of one
// time.
func (r *Registry) goCopied(ctx context.Context, base string, versions []string, oldest goInfo) bool {
	if len(versions) < bulkVersions || oldest.Time.IsZero() || r.options.Now().Sub(oldest.Time) > 5*freshCopy {
		return false
	}
	last, res := r.goInfo(ctx, base, versions[len(versions)-1])
	return res.Existence == dependencies.Exists && last.Time.Sub(oldest.Time).Abs() < bulk
}

// newest is the newest release, or the newest version where there is none.
func newest(versions []string) string {
	for _, v := range slices.Backward(versions) {
		if semver.Prerelease(v) == "" {
			return v
		}
	}
	return versions[len(versions)-1]
}

// goModFile reads deprecation and retraction from the newest go.mod.
func (r *Registry) goModFile(ctx context.Context, base string, versions []string, f *dependencies.Facts) {
	if len(versions) == 0 {
		return
	}
	escaped, err := module.EscapeVersion(newest(versions))
	if err != nil {
		return
	}
	ans := r.client.send(ctx, request{url: base + escaped + ".mod", accept: "text/plain"})
	defer ans.close()
	if ans.failed != "" || ans.absent() {
		return
	}
	mod, err := modfile.ParseLax("go.mod", []byte(ans.text()), nil)
	if err != nil {
		return // a file that cannot be read retracts nothing
	}
	if mod.Module != nil {
		f.Deprecated = firstLine(mod.Module.Deprecated)
	}
	for _, x := range mod.Retract {
		if f.Version != "" && semver.Compare(x.Low, f.Version) <= 0 && semver.Compare(f.Version, x.High) <= 0 {
			f.Yanked = firstLine(x.Rationale)
			if f.Yanked == "" {
				f.Yanked = "retracted, it gives no reason"
			}
		}
	}
}
