import { describe, expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { reportSale } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import {
  createPayPal,
  itemTo,
  ourId,
  payingProgram,
  paypalCredentials,
  servicesOf,
} from '../../support/payout-services.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })

describe('connectPayoutService', () => {
  test('tries the credentials, says what they can pay, and never shows them', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    const service = await services.connect()
    expect(service).toMatchObject({
      service: 'PAYPAL',
      account: 'PayPal app stand-in',
      canPay: expect.stringContaining('can pay EUR, balance 1,204.10'),
      problem: null,
      pausedAt: null,
      webhookUrl: `http://localhost:4000/payout-services/${service.id}`,
    })
    expect(await services.list()).toEqual([service])
    const row = await app.database.db.payoutService.findFirstOrThrow({ where: { id: service.id } })
    expect(JSON.stringify(row)).not.toContain(paypalCredentials.clientSecret)
    const { history } = await program.graphql(
      'query ($id: ID!) { history(subject: PAYOUT_SERVICE, id: $id) { nodes { action changes { field from to } } } }',
      { id: service.id },
    )
    expect(history.nodes.map(({ action }: any) => action)).toEqual(['CREATED'])
    expect(JSON.stringify(history)).not.toContain(paypalCredentials.clientSecret)
  })

  test('wrong credentials change nothing; right ones replace those before', async () => {
    const program = await app.createProgram()
    const services = servicesOf(program)
    const service = await services.connect()
    await expect(services.connect('PAYPAL', { ...paypalCredentials, clientSecret: 'wrong' })).rejects.toThrow(
      'PayPal does not accept the credentials: they are wrong, or were revoked.',
    )
    await expect(services.connect('PAYPAL', { clientId: 'x' })).rejects.toThrow("Client secret can't be blank")
    await expect(services.connect('PAYPAL', { ...paypalCredentials, key: 'x' })).rejects.toThrow(
      /have no key "key". Its keys are clientId, clientSecret, webhookId/,
    )
    const other = await services.connect('PAYPAL', { ...paypalCredentials, webhookId: 'WH-NEW' })
    expect(other.id).toBe(service.id)
    const row = await app.database.db.payoutService.findFirstOrThrow({ where: { id: service.id } })
    expect(row.previousCredentials).not.toBeNull()
  })

  test('a service that was disconnected sends nothing', async () => {
    const { services, service } = await payingProgram(app, ['gone@pp.test'])
    const run = await services.prepare()
    expect(await services.disconnect()).toEqual({ deletedId: service.id })
    expect(await services.list()).toEqual([])
    await expect(services.send(run.id)).rejects.toThrow(/PayPal is not connected/)
    await expect(services.disconnect()).rejects.toThrow(/not found/)
  })

  test('what was sent before is asked for when the service is connected again', async () => {
    const { services } = await payingProgram(app, ['again@pp.test'])
    const run = await services.prepare()
    await services.send(run.id)
    await services.disconnect()
    expect((await services.read(run.id)).nextStepAt).toBeNull()
    paypal.settle()
    await services.connect()
    await app.app.askPayoutServices()
    expect(await services.read(run.id)).toMatchObject({ state: 'PAID', nextStepAt: null })
  })

  test('a method without a service says so', async () => {
    const { program, services } = await payingProgram(app, ['none@pp.test'])
    const run = await runsOf(program).prepare({ method: 'GENERIC', currency: 'usd' })
    await expect(services.send(run.id)).rejects.toThrow('No service sends runs of the method GENERIC by its API.')
    await expect(services.refresh(run.id)).rejects.toThrow('The run was not sent by the API of a service')
  })
})

describe('what an owner allows', () => {
  test('limits per run, per day and per payee', async () => {
    const { services } = await payingProgram(app, ['limit-a@pp.test', 'limit-b@pp.test'])
    const run = await services.prepare()
    await services.update({ service: 'PAYPAL', mostPerRunCents: 1_999 })
    await expect(services.send(run.id)).rejects.toThrow('The run is 20.00 USD, above the limit of 19.99 USD.')
    await services.update({ service: 'PAYPAL', mostPerRunCents: null, mostPerPayeeCents: 999 })
    await expect(services.quote(run.id)).rejects.toThrow(/is 10.00 USD, above the limit of 9.99 USD/)
    await services.update({ service: 'PAYPAL', mostPerPayeeCents: null, mostPerDayCents: 1_999 })
    await expect(services.send(run.id)).rejects.toThrow('With the run, the last 24 hours are 20.00 USD')
    expect(await services.update({ service: 'PAYPAL', mostPerDayCents: 2_000 })).toMatchObject({
      mostPerRunCents: null,
      mostPerDayCents: 2_000,
    })
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  })

  test('a pause holds, and the background goes on after it', async () => {
    const { services } = await payingProgram(app, ['pause@pp.test'])
    const run = await services.prepare()
    await services.pause()
    await expect(services.send(run.id)).rejects.toThrow(/PayPal is paused: nothing is sent/)
    await services.resume()
    expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
    paypal.settle()
    // An answer that is lost is asked for again.
    const askLater = async () => {
      app.clock.advanceMinutes(5)
      await app.app.askPayoutServices()
      return itemTo(await services.read(run.id), 'pause@pp.test')?.state
    }
    await expect.poll(askLater).toBe('PAID')
    expect((await services.read(run.id)).nextStepAt).toBeNull()
  })

  test('first payments to an address are handed over apart, and last', async () => {
    const { services, program, earners } = await payingProgram(app, ['known@pp.test'])
    const first = await services.prepare()
    const [item] = (await services.send(first.id)).items.nodes
    paypal.change(ourId(item), 'SUCCESS')
    await services.refresh(first.id)
    await earner(program, { wallet_a_email: 'new@pp.test' })
    await reportSale(program, { coupon: earners[0]?.coupon })
    const before = paypal.batches.size
    const run = await services.prepare()
    await services.send(run.id)
    const batches = [...paypal.batches.values()].slice(before)
    expect(batches.map(({ items }) => items.map((one) => one.payout_item.receiver))).toEqual([
      ['known@pp.test'],
      ['new@pp.test'],
    ])
  })

  test('a run that was marked as sent by its file is not sent by the API', async () => {
    const { program, services } = await payingProgram(app, ['file@pp.test'])
    const run = await services.prepare()
    await runsOf(program).markSent(run.id)
    await expect(services.send(run.id)).rejects.toThrow(/marked as sent by its file/)
  })
})
