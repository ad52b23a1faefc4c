#!/bin/sh
# Checks a change on any CI system: what HEAD brings since the branch BASE of
# origin, which is fetched as far as it is needed. The exit code is the check's:
# 0 clean, 1 findings that fail it, 2 the run itself failed.
#
#   sh check.sh main
set -eu
if [ $# -ne 1 ] || [ -z "$1" ]; then
	echo "usage: check.sh BASE-BRANCH" >&2
	exit 2
fi
base=$1
deepen=""
shallow=$(git rev-parse --is-shallow-repository) || exit 2
if [ "$shallow" = true ]; then deepen=--unshallow; fi
# shellcheck disable=SC2086 # an empty word is left out on purpose
git fetch --quiet --no-tags $deepen origin "+refs/heads/$base:refs/remotes/origin/$base" || {
	echo "check.sh: the branch $base could not be fetched from origin: is that its name, and may this job read the repository?" >&2
	exit 2
}
command -v steelyard >/dev/null || {
	echo "check.sh: steelyard is not on the PATH" >&2
	exit 2
}
exec steelyard check --base "origin/$base" --output text --output junit:steelyard.xml --output sarif:steelyard.sarif
