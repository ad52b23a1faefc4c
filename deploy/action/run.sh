#!/usr/bin/env bash
# Runs the program for action.yml. Inputs come in INPUT_*, the program's path in
# STEELYARD; counts and the paths of the reports go to the step's outputs.
set -euo pipefail

fail() {
	# One line, without a percent sign that a runner would decode.
	printf '::error title=Steelyard::%s\n' "$(printf '%s' "$1" | tr '\r\n' '  ' | sed 's/%/%25/g')"
	if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
		printf '## Steelyard: the run failed\n\n\140%s\140\n' "$(printf '%s' "$1" | tr '\r\n`' '   ')" >>"$GITHUB_STEP_SUMMARY"
	fi
	printf 'exit-code=2\n' >>"$GITHUB_OUTPUT"
	exit 2
}

# output NAME VALUE sets an output of the step.
output() {
	case $2 in *$'\n'* | *$'\r'*) fail "the output $1 would have a line break" ;; esac
	printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# choice NAME VALUE ALLOWED… refuses a value that is none of those allowed.
choice() {
	local name=$1 value=$2 one
	shift 2
	for one in "$@"; do
		if [ "$value" = "$one" ]; then return; fi
	done
	fail "$name \"$value\" is none of: $*"
}

command=${INPUT_COMMAND:-check}
choice command "$command" check lint
choice offline "${INPUT_OFFLINE:-false}" true false
choice comment "${INPUT_COMMENT:-never}" never on-failure always
choice fail-on "${INPUT_FAIL_ON:-error}" note warning error never

folder="${RUNNER_TEMP:?this script runs in a job of GitHub Actions}/steelyard"
mkdir -p "$folder"
report="$folder/report.json"
sarif="$folder/report.sarif"
rm -f "$report" "$sarif"

# Git for Windows would take parts of the arguments for paths of its own.
export MSYS_NO_PATHCONV=1 MSYS2_ARG_CONV_EXCL='*'
workspace=$PWD
if [ "${RUNNER_OS:-}" = Windows ]; then workspace=$(pwd -W 2>/dev/null || pwd); fi

arguments=()
if [ -n "${INPUT_CONFIG:-}" ]; then arguments+=("--config=$workspace/$INPUT_CONFIG"); fi
arguments+=("$command" --output=text --output=github "--output=json:$report" "--output=sarif:$sarif")
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then arguments+=("--output=summary:$GITHUB_STEP_SUMMARY"); fi
if [ -n "${INPUT_FAIL_ON:-}" ]; then arguments+=("--fail-on=$INPUT_FAIL_ON"); fi
if [ -n "${INPUT_BASE:-}" ]; then arguments+=("--base=$INPUT_BASE"); fi
if [ "$command" = check ]; then
	if [ -n "${INPUT_BASELINE:-}" ]; then fail "baseline is for the command lint: check reports only what a change brings"; fi
	if [ "${INPUT_OFFLINE:-false}" = true ]; then arguments+=(--offline); fi
	if [ "${INPUT_COMMENT:-never}" != never ]; then arguments+=("--comment=$INPUT_COMMENT"); fi
else
	if [ "${INPUT_COMMENT:-never}" != never ]; then fail "comment is for the command check"; fi
	if [ -n "${INPUT_BASELINE:-}" ]; then arguments+=("--baseline=$INPUT_BASELINE"); fi
fi

cd -- "${INPUT_PATH:-.}" || fail "there is no folder \"${INPUT_PATH:-.}\"; is the repository checked out?"
code=0
"$STEELYARD" "${arguments[@]}" || code=$?
output exit-code "$code"

# count NAME reads a sum out of the report: no other line of it is indented so.
count() { sed -n "s/^    \"$1\": \([0-9][0-9]*\),\{0,1\}\$/\1/p" "$report"; }

if [ -s "$report" ]; then
	for name in findings errors warnings notes; do output "$name" "$(count "$name")"; done
	output report "$report"
	if [ -s "$sarif" ]; then output sarif "$sarif"; fi
fi
exit "$code"
