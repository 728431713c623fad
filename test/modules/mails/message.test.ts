import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, reportSale } from '../../support/factories.ts'

const test = await createTestApp()

const send = async (program: TestProgram, input: object): Promise<number> =>
  (
    await program.graphql(
      'mutation ($input: SendMailToAffiliatesInput!) { sendMailToAffiliates(input: $input) { recipients } }',
      { input },
    )
  ).sendMailToAffiliates.recipients

type Written = { to: string; subject: string; text: string; html: string; affiliateId: string }

const written = async (program: TestProgram): Promise<Written[]> =>
  (
    await program.graphql(
      '{ mails(first: 50, where: { kind: { equals: MESSAGE } }) { nodes { to subject text html affiliateId } } }',
    )
  ).mails.nodes

describe('a mail to affiliates', () => {
  it('has the values of each, and is in the history of each', async () => {
    const program = await test.createProgram()
    const { affiliate, coupon, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
    await reportSale(program, { coupon, external_id: 'inv_1' })
    const other = await createAffiliate(program, { email: 'bob@message.test', first_name: 'Bob' })
    test.clock.advanceMinutes(1)
    const message = {
      subject: 'News, {{name}}',
      text: 'Your code {{coupon}}, {{affiliate_url}}: {{due}} due.\n\n{{link}}',
    }
    expect(await send(program, { ...message, dryRun: true })).toBe(2)
    expect(await written(program)).toEqual([])
    expect(await send(program, message)).toBe(2)
    const mails = await written(program)
    const own = mails.find(({ affiliateId }) => affiliateId === affiliate.id)
    expect(own?.text).toContain(`Your code ${coupon}, `)
    expect(own?.text).toContain(link.token)
    expect(own?.text).toContain('$10.00 due.')
    expect(own?.html).toContain('Open the portal')
    expect(mails.find(({ affiliateId }) => affiliateId === other.id)?.subject).toBe('News, Bob')
    const { history } = await program.graphql(
      'query ($id: ID!) { history(subject: AFFILIATE, id: $id) { nodes { action changes { field to } } } }',
      { id: other.id },
    )
    expect(history.nodes[0]).toEqual({ action: 'MAILED', changes: [{ field: 'mailSubject', to: 'News, Bob' }] })
  })

  it('goes to those whom the filter names, if they are active and want it', async () => {
    const program = await test.createProgram()
    const ann = await createAffiliate(program, { email: 'ann@filter.test' })
    await createAffiliate(program, { email: 'off@filter.test', state: 'disabled' })
    await createAffiliate(program, { email: 'other@else.test' })
    const message = { subject: 'Hello', text: 'Hello {{name}}', where: { search: 'filter.test' } }
    expect(await send(program, message)).toBe(1)
    const [mail] = await written(program)
    const stop = /http:\S+\/mail\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] as string
    expect(stop).toContain('/messages/')
    await test.app.fetch(new Request(stop, { method: 'POST' }))
    test.clock.advanceMinutes(1)
    expect(await send(program, message)).toBe(0)
    expect(mail?.affiliateId).toBe(ann.id)
  })

  it('never takes text for code', async () => {
    const program = await test.createProgram()
    await createAffiliate(program, { email: 'eve@code.test', first_name: '<b>{{program}}</b> {{ 1+1 }}' })
    await expect(send(program, { subject: 'Hello', text: '{{password}}' })).rejects.toThrow('unknown variable')
    await send(program, { subject: 'Hello {{name}}', text: '<script>alert(1)</script> {1+1} {{name}}' })
    const [mail] = await written(program)
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('&lt;script&gt;')
    expect(mail?.subject).toBe('Hello <b>{{program}}</b> {{ 1+1 }}')
  })

  it('can be sent so often within an hour', async () => {
    const program = await test.createProgram()
    await createAffiliate(program, { email: 'ann@often.test' })
    const message = { subject: 'Hello', text: 'Hello' }
    for (let count = 0; count < 20; count += 1) {
      test.clock.advanceMinutes(1)
      await send(program, message)
    }
    await expect(send(program, message)).rejects.toThrow('Try again later')
    test.clock.advanceMinutes(60)
    expect(await send(program, message)).toBe(1)
  })
})

describe('publishing terms', () => {
  it('counts first: a dry run writes nothing', async () => {
    const program = await test.createProgram()
    for (const name of ['a', 'b']) await createAffiliate(program, { email: `${name}@terms.test` })
    const publish = (dryRun: boolean) =>
      program.graphql(
        'mutation ($dryRun: Boolean) { publishTerms(input: { text: "Be fair.", dryRun: $dryRun }) { recipients terms { version } } }',
        { dryRun },
      )
    const counted = { publishTerms: { recipients: 2, terms: { version: 1 } } }
    expect(await publish(true)).toEqual(counted)
    expect((await program.graphql('{ terms { version } }')).terms).toEqual([])
    expect(await publish(false)).toEqual(counted)
  })
})
