import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../../clients/verifier/src/canonical.ts'
import { percentOf } from '../../../clients/verifier/src/commission.ts'
import { rootOf, hashOf as verifierHash } from '../../../clients/verifier/src/hashes.ts'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { canonicalJson } from '../../../src/kernel/canonical-json.ts'
import { percentOf as servicePercentOf } from '../../../src/kernel/money/rounding.ts'
import { hashOf, treeOf } from '../../../src/modules/statements/hashes.ts'
import { verifyAgain } from './second-verifier.ts'

const jsonOf = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
const page = await readFile('docs/statement-format.md', 'utf8')
const example = await jsonOf('docs/statement-example.json')
const keys = await jsonOf('docs/statement-example-keys.json')

describe('the test vectors of docs/statement-format.md', () => {
  it('are what the service and the verifier compute', async () => {
    const value = { b: '1', a: [true, null, 'ä'], A: 2 }
    const text = { salt: '000102030405060708090a0b0c0d0e0f', text: 'Ada Lovelace' }
    expect(page).toContain(canonicalJson(value))
    expect(canonical(value)).toBe(canonicalJson(value))
    const letters = ['a', 'b', 'c'].map((letter) => hashOf(letter))
    const { root, paths } = treeOf(letters)
    const computed = [hashOf(value), hashOf(text), letters[0], treeOf(letters.slice(0, 1)).root, root, paths[2]?.[0]]
    for (const hash of computed) expect(page).toContain(`\`${hash}\``)
    expect([await verifierHash(value), await verifierHash(text)]).toEqual(computed.slice(0, 2))
    for (const percent of [percentOf, servicePercentOf])
      expect([percent(9_995n, 1_000), percent(-5n, 1_000), percent(-6n, 1_000)]).toEqual([1_000n, 0n, -1n])
  })

  it('have statements that both verifiers find good', async () => {
    const report = await verifyStatements(statementsIn('example', example), keys)
    expect(report.findings).toEqual([])
    expect(report.statements).toHaveLength(2)
    verifyAgain(example.statements, keys)
  })
})

describe('the tree', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 65])(
    'has a path for each of %i statements, and for no other place',
    async (size) => {
      const hashes = Array.from({ length: size }, (_, index) => hashOf(String(index)))
      const { root, paths } = treeOf(hashes)
      for (const [index, hash] of hashes.entries()) {
        const path = paths[index] as string[]
        expect(await rootOf(hash, index, size, path)).toBe(root)
        if (size > 1) expect(await rootOf(hash, (index + 1) % size, size, path)).not.toBe(root)
      }
    },
  )
})
