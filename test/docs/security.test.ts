import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const [, model = ''] = readFileSync('SECURITY.md', 'utf8').split('\n## Threat model\n')
const [table = ''] = model.split('\n## ')
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)

it('each line of the threat model names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const [, , , threat = '', , heldBy = ''] = row.split('|').map((cell) => cell.trim())
    const tests = [...heldBy.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string)
    expect({ threat, isHeld: tests.length > 0 }).toEqual({ threat, isHeld: true })
    for (const path of tests)
      expect({ path, exists: path.startsWith('test/') && existsSync(path) }).toEqual({ path, exists: true })
  }
})
