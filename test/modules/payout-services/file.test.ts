import { expect, test } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createPayPal, payingProgram } from '../../support/payout-services.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const paypal = await createPayPal()
const app = await createTestApp({ payoutServiceUrls: { paypal: paypal.url } })
const olga = await setUpOperator(app)

/** A run that was handed over to PayPal, whose answer was lost. */
async function unknownRun(address: string) {
  const { program, services } = await payingProgram(app, [address])
  const run = await services.prepare()
  paypal.fault(/^POST .*\/payments\/payouts$/, 'lose answer')
  expect((await services.send(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
  return { program, services, run }
}

test('the file of a run that is sent by the API is not exported once more', async () => {
  const { program } = await unknownRun('export@file.test')
  const { status, body } = await program.send('/payouts/export?format=paypal', {})
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain('IN_OPEN_RUN')
})

test('the key that made a run does not say that an unknown payment of it was paid by hand', async () => {
  const { program, services, run } = await unknownRun('by-hand@file.test')
  const [{ payoutId }] = run.items.nodes
  const { status, body } = await program.post(`/payouts/${payoutId}/pay`)
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain('is in the open payout run')
  expect((await services.read(run.id)).items.nodes).toMatchObject([{ state: 'PREPARED', isUnknown: true }])
})

test('people do not get the file of a run that is sent by the API, until it is decided', async () => {
  const { program, services, run } = await unknownRun('people@file.test')
  const mia = await addMember(app, olga, program.id, { email: 'mia@file.test', role: 'FINANCE' })
  const read = () => mia.graphql(program.id)(`{ payoutRun(id: "${run.id}") { file { name content } } }`)
  await expect(read()).rejects.toThrow(/sent by the API of a service.*paid twice/)
  expect(await services.send(run.id)).toMatchObject({ state: 'SENT' })
  await expect(read()).rejects.toThrow(/paid twice/)
  paypal.settle(app.clock.now)
  expect(await services.refresh(run.id)).toMatchObject({ state: 'PAID' })
  expect((await read()).payoutRun.file.content).toContain('people@file.test')
})
