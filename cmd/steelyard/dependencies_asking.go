package main

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

// holdRegistries takes the addresses of registries from before the change: a
// change that names its own registry would be judged by it.
func (p *program) holdRegistries(ctx context.Context, t *compared, settings *config.Config) error {
	if _, all := t.base.(nothing); all {
		return nil // nothing is a change of anything
	}
	before, err := p.settingsBefore(ctx, t)
	if err == nil && before != nil {
		settings.Dependencies.Registries = before.Dependencies.Registries
	}
	return err
}

// reviewedNPMRC is the repository's own .npmrc before the change.
func reviewedNPMRC(base fs.FS) string {
	const most = 64 << 10
	info, err := fs.Stat(base, ".npmrc")
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "" // none, or none that npm would read
	}
	text, err := fs.ReadFile(base, ".npmrc")
	if err != nil {
		return ""
	}
	return string(text)
}

func registryAddresses(settings *config.Config) map[string]string {
	addresses := map[string]string{}
	for name, address := range settings.Dependencies.Registries {
		switch name {
		case "depsdev":
			addresses[registry.EnvDepsDev] = address
		case "osv":
			addresses[registry.EnvOSV] = address
		default:
			addresses[registry.Environment(dependencies.Ecosystem(name))] = address
		}
	}
	return addresses
}

// askedBySettings says where a name was asked if the settings file decides it:
// that may be the one of a change that nobody has reviewed.
func (p *program) askedBySettings(settings *config.Config, e dependencies.Ecosystem) []dependencies.Evidence {
	address := settings.Dependencies.Registries[string(e)]
	if _, set := p.env(registry.Environment(e)); set || address == "" || address == registry.Off {
		return nil
	}
	host := "an address that cannot be read"
	if u, err := url.Parse(strings.TrimPrefix(strings.TrimPrefix(address, "mirror+"), "registry+")); err == nil && u.Host != "" {
		host = u.Host
	}
	return []dependencies.Evidence{{Judgement: dependencies.OK, Text: "asked where the settings file says: " + host}}
}

// registry is the way to ask, with its cache.
func (p *program) registry(f askingFlags, explicit map[string]string, npmrc string) (*registry.Registry, *registry.Addresses, error) {
	cache, err := registryCache(f.CacheDir)
	if err != nil {
		return nil, nil, err
	}
	reg, addresses := p.registryWith(cache, f.Offline, explicit, npmrc)
	return reg, addresses, nil
}

// registryWith is the way to ask with a cache of whatever kind.
func (p *program) registryWith(cache registry.Cache, offline bool, explicit map[string]string, npmrc string) (*registry.Registry, *registry.Addresses) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // a user without a home has no settings there
	}
	world := registry.World{Env: p.env, Home: home, Run: registry.RunClient, Remember: cache, Now: p.now, NPMRC: npmrc}
	addresses := registry.Discover(world, explicit)
	token, _ := p.env("GITHUB_TOKEN")
	return registry.New(registry.Options{
		Addresses: addresses, Offline: offline, Cache: cache, Now: p.now, Sleep: sleepUnlessDone, GitHubToken: token,
		Agent: "steelyard/" + readBuild().Version + " (dependency check)",
	}), addresses
}

// registryCache keeps answers in a folder; one that was asked for must be
// there, the user's own is done without where it cannot be made.
func registryCache(dir string) (registry.Cache, error) {
	switch dir {
	case registry.Off:
		return &registry.Memory{}, nil
	case "":
		return userCache(), nil
	}
	folder, err := registry.NewFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("--cache-dir: %w", err)
	}
	return folder, nil
}

func userCache() registry.Cache {
	if user, err := os.UserCacheDir(); err == nil {
		if folder, err := registry.NewFolder(filepath.Join(user, "steelyard", "registries")); err == nil {
			return folder
		}
	}
	return &registry.Memory{}
}

func sleepUnlessDone(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dependencyPolicy is what the settings decide.
func dependencyPolicy(settings *config.Config, p *program) dependencies.Policy {
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	t := settings.Dependencies.Thresholds
	policy := dependencies.Policy{
		Thresholds: dependencies.Thresholds{
			Young: days(t.YoungDays), LookalikeAge: days(t.LookalikeDays), LookalikeUse: int64(t.LookalikeDownloads),
			FewDownloads: int64(t.FewDownloads), FewDownloadAge: days(t.FewDownloadsDays),
		},
		Licences: dependencies.LicencePolicy{Allow: settings.Dependencies.Licences},
		Today:    p.now(),
	}
	source := settings.File
	if p.configFile == "" {
		source = config.FileName // findings name paths from the tree's root
	}
	for _, d := range settings.Dependencies.Allow {
		var judgements []dependencies.Judgement
		for _, j := range d.For {
			judgements = append(judgements, dependencies.Judgement(j))
		}
		policy.Decisions = append(policy.Decisions, dependencies.Decision{
			Package: d.Package, For: judgements, Reason: d.Reason, Owner: d.Owner, Until: d.Until, Source: source, Line: d.Line,
		})
	}
	return policy
}
