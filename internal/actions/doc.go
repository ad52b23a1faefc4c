// Package actions reads what a CI system says of the run that it started:
// GitHub Actions' variables and its event file, and the variables of a merge
// request in GitLab CI. An event file holds what strangers wrote (titles,
// bodies, branch names), so it is bounded and decoded into few fields, and
// nothing of it is ever executed.
package actions
