#!/bin/sh
# Checks a change on any CI system: what HEAD brings since the branch BASE of
# origin, which is fetched as far as it is needed. The exit code is the check's:
# 0 clean, 1 findings that fail it, 2 the run itself failed.
#
#   sh check.sh main
set -eu
base=${1:?usage: check.sh BASE-BRANCH}
deepen=""
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then deepen=--unshallow; fi
# shellcheck disable=SC2086 # an empty word is left out on purpose
git fetch --quiet --no-tags $deepen origin "+refs/heads/$base:refs/remotes/origin/$base"
exec steelyard check --base "origin/$base" --output text --output junit:steelyard.xml --output sarif:steelyard.sarif
