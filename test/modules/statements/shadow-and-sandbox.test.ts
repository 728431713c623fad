import { expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, made, reportSale } from '../../support/factories.ts'
import { createOldProgram, importFrom } from '../../support/shadow.ts'
import { brief, closeMonth, type ReadStatement } from '../../support/statements.ts'

const startsAt = '2026-10-10T12:00:00.000Z'
const there = await createTestApp({ startsAt })
const here = await createTestApp({ startsAt })

const verify = async ({ id }: TestProgram, statements: readonly ReadStatement[]) =>
  verifyStatements(
    statementsIn(
      'file',
      statements.map(({ json }) => JSON.parse(json)),
    ),
    { keys: await publicKeys(here.database.db, id) },
  )

it('a shadow closes no month, and the months after its end have what was taken over', async () => {
  const { old, sale } = await createOldProgram(there)
  await sale('in_paid', 10_000)
  await sale('in_open', 20_000)
  const { data } = await made(old.get('/commissions?limit=100'))
  const paid = data.find(({ amount }: { amount: number }) => amount === 1_000)
  await made(old.put(`/commissions/${paid.id}`, { paid_at: there.clock.now.toISOString() }))
  const program = await here.createProgram()
  await here.operator('mutation ($id: ID!) { updateProgram(input: { id: $id, isShadow: true }) { program { id } } }', {
    id: program.id,
  })
  for (const { clock } of [there, here]) clock.advanceDays(25)
  await importFrom(there, old, here, program)
  await expect(closeMonth(program, '2026-10')).rejects.toThrow('shadow')

  await program.graphql('mutation { endShadow(input: {}) { takenOver } }')
  here.clock.advanceDays(30)
  const months = [await closeMonth(program, '2026-10'), await closeMonth(program, '2026-11')]
  const { affiliates } = await program.graphql('{ affiliates(first: 9) { nodes { id email } } }')
  const { id } = affiliates.nodes.find(({ email }: { email: string }) => email === 'ada@old.test')
  const own = months.map((all) => all.find(({ affiliateId }) => affiliateId === id) as ReadStatement)
  // What is recorded in one millisecond is in no order.
  expect(own.map((one) => brief(one).sort())).toEqual([
    [
      ['commission', 1_000],
      ['commission', 2_000],
      ['payment', -1_000],
    ],
    [],
  ])
  expect(own.map(({ openingCents, closingCents }) => [openingCents, closingCents])).toEqual([
    [0, 2_000],
    [2_000, 2_000],
  ])
  expect((await verify(program, own)).findings).toEqual([])
})

it('a sandbox signs with a key of its own, and the key and each statement say that it is one', async () => {
  const [live, sandbox] = [await here.createProgram(), await here.createProgram({ isSandbox: true })]
  for (const program of [live, sandbox]) await reportSale(program, { coupon: (await createSeller(program)).coupon })
  const month = here.clock.now.toISOString().slice(0, 7)
  here.clock.advanceDays(40)
  const [ofLive, ofSandbox] = [await closeMonth(live, month), await closeMonth(sandbox, month)]
  const published = await here.app.fetch(new Request('http://localhost:4000/.well-known/jwks.json'))
  const { keys } = (await published.json()) as { keys: { kid: string; sandbox?: true }[] }
  const keyOf = async (program: TestProgram, statements: readonly ReadStatement[]) => {
    const report = await verify(program, statements)
    expect(report.findings).toEqual([])
    const [statement] = report.statements
    const key = keys.find(({ kid }) => kid === statement?.keyId)
    return { isSandboxKey: key?.sandbox ?? false, isSandbox: statement?.sandbox, kid: key?.kid }
  }
  const [own, tried] = [await keyOf(live, ofLive), await keyOf(sandbox, ofSandbox)]
  expect(own).toMatchObject({ isSandboxKey: false, isSandbox: false })
  expect(tried).toMatchObject({ isSandboxKey: true, isSandbox: true })
  expect(tried.kid).not.toBe(own.kid)
  // A sandbox signs with a key of its own, so its statement is not accepted as one of the live program.
  expect((await verify(live, ofSandbox)).findings[0]?.what).toContain('not among the given keys')
})
