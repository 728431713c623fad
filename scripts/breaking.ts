// Compares schema.graphql with its version in the last commit or, if it has not changed since, in the commit before: in a
// clean checkout this checks the last commit. It fails if a change breaks clients, unless schema.breaking.json declares it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hashOf, judgeChanges, readDeclarations } from './schema-changes.ts'

const file = 'schema.graphql'
const declarationsFile = 'schema.breaking.json'

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 })
  return status === 0 ? stdout : null
}

function report(verdict: Awaited<ReturnType<typeof judgeChanges>>, isNew: boolean, hash: string): void {
  const { undeclared, declared, dangerous, unused } = verdict
  const list = (title: string, lines: string[]) =>
    lines.length > 0 && console.log([title, ...lines.map((line) => `  - ${line}`)].join('\n'))
  list('Dangerous schema changes:', dangerous)
  list('Declared breaking schema changes:', declared)
  list('Undeclared breaking schema changes:', undeclared)
  if (undeclared.length > 0) {
    console.error(
      `These changes break clients. To accept one, declare it in ${declarationsFile}: {"path": "Type.field", "reason": "…"}. ` +
        `To accept all of them: {"path": "*", "schema": "${hash}", "reason": "…"}.`,
    )
    process.exitCode = 1
  }
  // An unused declaration would accept a later change of the same path.
  if (isNew && unused.length > 0) {
    console.error(
      `${declarationsFile} declares changes that were not made. Remove: ${unused.map(({ path }) => path).join(', ')}`,
    )
    process.exitCode = 1
  }
}

const after = readFileSync(file, 'utf8')
const committed = git('show', `HEAD:${file}`)
const isNew = committed !== null && committed !== after
const before = isNew ? committed : git('show', `HEAD~1:${file}`)
if (before === null) {
  console.log('The schema was not checked: there is no earlier commit to compare with (no git, or a shallow clone).')
} else if (before !== after) {
  const declarations = readDeclarations(readFileSync(declarationsFile, 'utf8'))
  report(await judgeChanges(before, after, declarations), isNew, hashOf(after))
}
