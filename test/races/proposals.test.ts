import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { isPostgres, needsPostgres } from '../support/parallel.ts'
import { earner } from '../support/payout-runs.ts'
import { addMember, setUpOperator } from '../support/people.ts'
import { proposalsOf } from '../support/proposals.ts'

describe.skipIf(!isPostgres)('proposals at the same time', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const test = await createTestApp()
  const operator = await setUpOperator(test)

  it('eight people confirm and reject: the proposal is decided once, and its change made at most once', async () => {
    const program = await test.createProgram()
    const people = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        const member = { email: `m${n}@example.com`, role: 'MANAGER', name: `Manager ${n}` }
        return proposalsOf((await addMember(test, operator, program.slug, member)).graphql(program.slug))
      }),
    )
    for (let round = 0; round < 6; round += 1) {
      const { affiliate } = await earner(program)
      await program.post('/conversions', { amount_cents: 10_000, email: `n${round}@a.test`, external_id: `x${round}` })
      const { unattributedSales } = await program.graphql('{ unattributedSales { nodes { id } } }')
      const { id } = await proposalsOf(program.graphql).propose('ATTRIBUTE', {
        id: unattributedSales.nodes[0].id,
        affiliateId: affiliate.id,
      })
      const decisions = people.flatMap((person) => [
        person.confirm(id),
        ...(round % 2 === 0 ? [person.reject(id)] : [person.confirm(id)]),
      ])
      const done = (await Promise.allSettled(decisions)).flatMap((one) =>
        one.status === 'fulfilled' ? [one.value.state] : [],
      )
      expect(new Set(done).size).toBe(1)
      const { proposal } = await program.graphql(
        'query ($id: ID!) { proposal(id: $id) { state history { nodes { action } } } }',
        { id },
      )
      expect(proposal.history.nodes).toHaveLength(2)
      expect(proposal.state).toBe(done[0])
      const { sales } = await program.graphql(
        'query ($id: ID!) { sales(where: { affiliateId: { equals: $id } }) { totalCount } }',
        { id: affiliate.id },
      )
      expect(sales.totalCount).toBe(proposal.state === 'CONFIRMED' ? 2 : 1)
    }
  })
})
