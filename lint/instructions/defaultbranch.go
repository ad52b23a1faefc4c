package instructions

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// Remote is what is known of the branches of the repository that a tree is of.
// A run is given it in [lint.Config.Given]; without it the tree alone is asked.
type Remote struct {
	Default string // the default branch, "" for unknown
	// Source is who says so in a finding ("GitHub"); "" is the clone around the
	// tree, which has it in a file of git's.
	Source string
	// Has reports whether there is a branch of a name; where that cannot be
	// found out it reports true.
	Has func(branch string) bool
}

// originHead is where a clone keeps the default branch.
const originHead = ".git/refs/remotes/origin/HEAD"

// settingsFiles are where the settings app of GitHub reads a repository's
// settings from.
var settingsFiles = []string{".github/settings.yml", ".github/settings.yaml"}

// defaultBranch returns the branch that the repository's settings file sets, or
// else the one that is known of the remote. A clone may be older than a renamed
// branch, and work may go into another branch than the default: what is known
// is believed only where the other branch is not there.
func defaultBranch(p *lint.Pass, x *Directive) (setting, bool) {
	for _, name := range settingsFiles {
		f, ok := p.Named(name)
		if !ok {
			continue
		}
		if branch, ok := branchSetting(f); ok {
			return setting{choice: branch, file: f}, true
		}
	}
	r, ok := lint.Given[Remote](p)
	if !ok || r.Default == "" {
		return setting{}, false
	}
	s := setting{choice: branchName(r.Default), source: r.Source}
	if r.Source == "" {
		s.file = p.Missing(originHead)
	}
	if s.rulesOut(x) && !x.Not && (r.Has(x.Choice) || x.Choice == "develop" && r.Has("development")) {
		return setting{}, false
	}
	return s, true
}

// branchSetting reads repository.default_branch.
func branchSetting(f *lint.File) (string, bool) {
	src, err := f.Bytes()
	var doc yaml.Node // decoding into a map compares every two keys
	if err != nil || len(src) > maxYAML || nested(src) || yaml.Unmarshal(src, &doc) != nil || len(doc.Content) == 0 {
		return "", false
	}
	repository := yamlValue(doc.Content[0], "repository")
	if repository == nil {
		return "", false
	}
	branch := yamlValue(repository, "default_branch")
	if branch == nil || branch.Kind != yaml.ScalarNode || strings.TrimSpace(branch.Value) == "" {
		return "", false
	}
	return branchName(strings.TrimSpace(branch.Value)), true
}

// branchName is a branch as the topic names it.
func branchName(name string) string {
	if name == "development" {
		return "develop"
	}
	return name
}
