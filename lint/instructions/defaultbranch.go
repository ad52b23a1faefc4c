package instructions

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"steelyard/lint"
)

// Remote is what a clone knows of the repository that it was made from. A run
// is given it in [lint.Config.Given]; without it the tree alone is asked.
type Remote struct {
	Default  string          // the default branch when it was cloned, "" for unknown
	Branches map[string]bool // every branch it knew of
}

// settingsFiles are where the settings app of GitHub reads a repository's
// settings from.
var settingsFiles = []string{".github/settings.yml", ".github/settings.yaml"}

// defaultBranch returns the branch that the repository's settings file sets, or
// else the one that the clone knows. A clone may be older than a renamed
// branch: what it says is believed only where the other branch was not there.
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
	if !ok || r.Default == "" || !x.Not && (r.Branches[x.Choice] || x.Choice == "develop" && r.Branches["development"]) {
		return setting{}, false
	}
	return setting{choice: branchName(r.Default), file: p.Missing(path.Join(".git", "refs/remotes/origin/HEAD"))}, true
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
