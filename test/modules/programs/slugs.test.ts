import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'

const app = await createTestApp()
const create = (input: object) =>
  app.operator('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { program { slug } } }', {
    input: { url: 'https://acme.test', currency: 'usd', ...input },
  })

it('a word of the dashboard is refused as a slug, and not made from a name', async () => {
  await expect(create({ name: 'Acme', slug: 'account' })).rejects.toThrow('word of the dashboard')
  expect((await create({ name: 'Account' })).createProgram.program.slug).toMatch(/^account-\d+$/)
})
