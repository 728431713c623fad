import { createSeller, made, reportSale } from '../../test/support/factories.ts'
import { onBoth } from './place.ts'
import { createProgramOn, diagnose, send, startService, stopService } from './service.ts'

export const summary =
  'Transactions that contend for the same sale, customer, commission and payout: no 5xx. Both databases.'
export const unit = 'transactions'
export const defaultSize = 1_000

const concurrency = 50

export async function run(transactions: number): Promise<void> {
  await onBoth(async (env, kind) => {
    const service = await startService(env)
    const program = await createProgramOn(() => service.address)
    const { coupon, affiliate } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const sale = await reportSale(program, { coupon, amount_cents: 1_000_000, email: 'one@customer.test' })
    const [payout] = (await made(program.get('/payouts'))).data
    const kinds: [string, string, (n: number) => object][] = [
      [
        'POST',
        '/v1/conversions',
        (n) => ({ coupon, amount_cents: 500, email: 'one@customer.test', external_id: `s-${n % 300}` }),
      ],
      ['POST', '/v1/conversions/refund', () => ({ sale_id: sale.sale_id, amount_cents: 1 })],
      ['PUT', `/v1/commissions/${sale.commission.id}`, (n) => ({ amount: 100 + n })],
      ['POST', `/v1/payouts/${payout.id}/pay`, () => ({})],
      ['PUT', `/v1/affiliates/${affiliate.id}`, (n) => ({ first_name: `Ada ${n}` })],
    ]
    const statuses = new Map<number, number>()
    let next = 0
    let slowestMs = 0
    const lanes = Array.from({ length: concurrency }, async () => {
      while (next < transactions) {
        next += 1
        const [method, path, body] = kinds[next % kinds.length] as (typeof kinds)[number]
        const startedAt = performance.now()
        const { status } = await send(service.address, program.secret, method, path, body(next))
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    await Promise.all(lanes)
    const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
    const findings = await diagnose(service.address)
    console.log(`${kind}: ${told.join(', ')}; slowest ${(slowestMs / 1000).toFixed(2)} s; doctor: ${findings} findings`)
    await stopService(service)
  })
}
