import { describe, expect, it } from 'vitest'
import { emailKey } from '../../../src/kernel/email.ts'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createLead, createSeller, listed } from '../../support/factories.ts'

const app = await createTestApp()

/** Two spellings of one address each. */
const spellings: [string, string, string][] = [
  ['a domain in Unicode and in ASCII', 'grace@müller.example', 'grace@xn--mller-kva.example'],
  ['a domain in upper case', 'grace@MÜLLER.example', 'Grace@XN--MLLER-KVA.example'],
  ['composed and decomposed letters', 'andr\u00e9@one.example', 'andre\u0301@one.example'],
  ['letters of full width', 'john@two.example', '\uff4aohn@\uff54wo.example'],
  ['Greek in upper and lower case', 'a@ΒΌΛΟΣ.test', 'a@βόλος.test'],
  ['an invisible character', 'ada@three.example', 'a\u200bda@three.example'],
]

describe.each(spellings)('%s', (_name, first, second) => {
  it('is one customer, whose sale finds the lead', async () => {
    const program = await app.createProgram()
    const { affiliate, link } = await createSeller(program)
    await createLead(program, link.token, first)
    const { status, body } = await program.post('/conversions', { amount_cents: 1_000, email: second })
    expect([status, body.commission?.affiliate_id]).toEqual([201, affiliate.id])
    const { customers } = await program.graphql(
      'query ($email: String) { customers(where: { email: { equals: $email } }) { nodes { email } } }',
      { email: second },
    )
    expect(customers.nodes).toEqual([{ email: first }])
    expect(await listed(program, `/referrals?email=${encodeURIComponent(second)}`)).toHaveLength(1)
  })

  it('is one affiliate, shown as it was given', async () => {
    const program = await app.createProgram()
    await createAffiliate(program, { email: first })
    const { status, body } = await program.post('/affiliates', { email: second })
    expect([status, body.details]).toEqual([422, ['Email has already been taken']])
    expect(await listed(program, `/affiliates?email=${encodeURIComponent(second)}`)).toMatchObject([{ email: first }])
  })

  it('is one person, also for a sale that was kept with a name next to the address', async () => {
    const program = await app.createProgram()
    await program.post('/conversions', { amount_cents: 1, email: first })
    await program.post('/conversions', { amount_cents: 1, email: `Grace <${first}>` })
    await program.post('/conversions', { amount_cents: 1, email: `x${first}` })
    const { erasePerson } = await program.graphql(
      'mutation ($email: EmailAddress!) { erasePerson(input: { email: $email }) { unattributedSales } }',
      { email: second },
    )
    expect(erasePerson.unattributedSales).toBe(2)
  })
})

it('a look-alike of another script is another customer', () => {
  expect(emailKey('ada@acme.com')).not.toBe(emailKey('\u0430da@acme.com'))
})
