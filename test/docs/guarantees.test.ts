import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'

const rows = readFileSync('docs/guarantees.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line !== '| guarantee | held by |')
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')) as [string, string])

it('each guarantee is one sentence of at most 25 words', () => {
  expect(rows.length).toBeGreaterThan(100)
  const wordsIn = (text: string) => text.split(/\s+/).length
  expect(rows.filter(([text]) => !text.endsWith('.') || /\. [A-Z]/.test(text))).toEqual([])
  expect(rows.filter(([text]) => wordsIn(text) > 25)).toEqual([])
})

// That they exist is checked for all documents.
it('each guarantee names the tests or commands that fail without it', () => {
  expect(rows.filter(([, heldBy]) => !/`(test\/|npm run )/.test(heldBy))).toEqual([])
})

it('each file or folder that a guarantee names has tests', () => {
  const named = rows.flatMap(([, heldBy]) => [...heldBy.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path as string))
  const filesIn = (path: string) =>
    statSync(path).isFile() ? [path] : (readdirSync(path, { recursive: true }) as string[])
  expect(named.filter((path) => !filesIn(path).some((file) => file.endsWith('.test.ts')))).toEqual([])
})
