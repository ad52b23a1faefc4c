// Package config reads Steelyard's settings: one strict file, steelyard.yaml,
// and what flags and the environment say instead.
//
// # Precedence
//
// A flag beats an environment variable, which beats the file, which beats the
// default. Every value remembers which of them it came from ([Origin]), so
// that "steelyard config show" can say so.
//
// # One description
//
// What may stand in the file is described once, in keys.go. The checker, the
// published JSON schema ([Schema]), the list of settings and the commented
// starter file ([Starter]) are all read from that description.
//
// A mistake in the file is a [Problem] with its file, line and column; all of
// them are reported at once as [Problems]. Files are untrusted: their size and
// depth are bounded and YAML aliases are refused, because a few lines of them
// can stand for gigabytes.
package config
