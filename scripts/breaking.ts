// Compares schema.graphql with the last commit's, or where it is the same with the one before: in a clean checkout that
// is what the last commit changed. What breaks clients fails unless schema.breaking.json says that it is meant.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hashOf, judgeChanges, readDeclarations } from './schema-changes.ts'

const file = 'schema.graphql'
const declarationsFile = 'schema.breaking.json'

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100 * 1024 * 1024 })
  return status === 0 ? stdout : null
}

function check(verdict: Awaited<ReturnType<typeof judgeChanges>>, isNew: boolean, hash: string): void {
  const { undeclared, declared, dangerous, idle } = verdict
  const list = (title: string, lines: string[]) =>
    lines.length > 0 && console.log([title, ...lines.map((line) => `  - ${line}`)].join('\n'))
  list('Dangerous changes of the schema:', dangerous)
  list('Breaking changes of the schema, declared:', declared)
  list('Breaking changes of the schema:', undeclared)
  if (undeclared.length > 0) {
    console.error(
      `Clients break by this. If that is meant, say so in ${declarationsFile}: {"path": "Type.field", "reason": "…"}, ` +
        `or for all of them {"path": "*", "schema": "${hash}", "reason": "…"}.`,
    )
    process.exitCode = 1
  }
  // Left in the file, they would let a later change of the same path through.
  if (isNew && idle.length > 0) {
    console.error(
      `${declarationsFile} declares what has not changed; remove: ${idle.map(({ path }) => path).join(', ')}`,
    )
    process.exitCode = 1
  }
}

const after = readFileSync(file, 'utf8')
const committed = git('show', `HEAD:${file}`)
const isNew = committed !== null && committed !== after
const before = isNew ? committed : git('show', `HEAD~1:${file}`)
if (before === null) {
  console.log('There is no earlier commit to compare the schema with (no git, or a shallow clone): not checked.')
} else if (before !== after) {
  const declarations = readDeclarations(readFileSync(declarationsFile, 'utf8'))
  check(await judgeChanges(before, after, declarations), isNew, hashOf(after))
}
