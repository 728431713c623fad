import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { printPublicSchema } from '../../src/schema/print.ts'

it('schema.graphql is up to date; `npm run generate` writes it', async () => {
  expect(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8')).toBe(printPublicSchema())
})
