# Reads what mocha printed and ends with "N passed, N failed". Output without mocha's summary counts as one failure:
# a run that broke off must never look like one that passed.
# Only mocha's own lines count; the last of each, so that a mocha run inside a test does not.
/^[[:space:]]+[0-9]+ passing \([0-9.]+(ms|s|m|h|d)\)[[:space:]]*$/ { passed = $1; failed = 0; seen = 1 }
/^[[:space:]]+[0-9]+ failing[[:space:]]*$/ { failed = $1 }
END {
  if (!seen) { passed = 0; failed = 1 }
  printf "%d passed, %d failed\n", passed, failed
}
