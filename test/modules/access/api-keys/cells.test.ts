import { expect, it } from 'vitest'
import { isWellFormedSecret, mintSecret } from '../../../../src/modules/access/api-keys/secret.ts'
import { createTestApp, restClient } from '../../../support/app.ts'
import { createSeller } from '../../../support/factories.ts'
import { createPage } from '../../../support/tracking.ts'

const inCell = await createTestApp({ cell: 'eu1' })
const withoutCell = await createTestApp()

it('new keys of a cell have its mark, and work with Bearer, Basic and at the tracking endpoints', async () => {
  const program = await inCell.createProgram()
  expect(program.secret).toMatch(/^trib_sk_eu1_[0-9A-Za-z]{49}$/)
  expect(program.publishableKey).toMatch(/^trib_pk_eu1_[0-9a-z]{32}$/)
  expect((await program.get('/affiliates')).status).toBe(200)
  const basic = { Authorization: `Basic ${Buffer.from(`${program.secret}:`).toString('base64')}` }
  expect((await restClient(inCell.app.fetch, basic).get('/affiliates')).status).toBe(200)
  const { affiliate } = await createSeller(program)
  expect((await createPage(inCell.app, program).visit(affiliate.links[0].token)).status).toBe(201)
  const { apiKeys } = await inCell.operator('query ($id: ID!) { apiKeys(programId: $id) { prefix } }', {
    id: program.id,
  })
  expect(apiKeys).toEqual([{ prefix: 'trib_sk_eu1_' }])
})

it('a publishable key that is rotated in a cell has the mark', async () => {
  const program = await inCell.createProgram()
  const { rotatePublishableKey } = await inCell.operator(
    'mutation ($id: ID!) { rotatePublishableKey(input: { programId: $id }) { program { publishableKey } } }',
    { id: program.id },
  )
  expect(rotatePublishableKey.program.publishableKey).toMatch(/^trib_pk_eu1_/)
})

it('without a cell keys have no mark', async () => {
  const program = await withoutCell.createProgram()
  expect(program.secret).toMatch(/^trib_sk_[0-9A-Za-z]{49}$/)
  expect(program.publishableKey).toMatch(/^trib_pk_[0-9a-z]{32}$/)
})

it('the checksum of a key covers its mark', () => {
  for (const cell of [undefined, 'a', 'eu1', 'abcd1234']) expect(isWellFormedSecret(mintSecret(cell))).toBe(true)
  const secret = mintSecret('eu1')
  for (const changed of [secret.replace('eu1', 'eu2'), secret.replace('eu1_', ''), secret.slice(0, -1), `${secret}0`])
    expect(isWellFormedSecret(changed)).toBe(false)
})
