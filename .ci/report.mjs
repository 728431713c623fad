// node .ci/report.mjs FILE…: sums up the JSON reports of vitest: what failed, the slowest files, and the line with the counts.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const reports = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')))
const files = reports.flatMap(({ testResults }) => testResults)

for (const { name, message, assertionResults } of files) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  for (const { fullName, failureMessages } of failed) report(`${relative('', name)}: ${fullName}`, failureMessages[0])
  // A file that fails before its tests run has only a message.
  if (failed.length === 0 && message) report(relative('', name), message)
}

/** @param {string} name @param {string | undefined} message */
function report(name, message = '') {
  // Vitest hides the message of a timeout.
  const text = message.replace(/^Error: STACK_TRACE_ERROR/, 'The test or its hook timed out.')
  // A test of a table names a failing cell on each line.
  const lines = text.split('\n').filter((line) => !/^\s+at /.test(line))
  console.log(`FAILED ${name}\n  ${lines.slice(0, 6).join('\n  ')}`)
}

console.log('Slowest files:')
const seconds = files.map(({ name, startTime, endTime }) => ({
  name,
  seconds: Math.round((endTime - startTime) / 1000),
}))
for (const one of seconds.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${one.seconds} s ${relative('', one.name)}`)

// A test of a table counts its cells: see test/support/cells.ts.
const cells = files
  .flatMap(({ assertionResults }) => assertionResults)
  .reduce((total, { meta }) => total + (meta?.cells ?? 1), 0)
console.log(`${files.length} files, ${cells} cases`)

/** @param {string} field */
const sum = (field) => reports.reduce((total, one) => total + one[field], 0)
const skipped = sum('numPendingTests') + sum('numTodoTests')
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
)
