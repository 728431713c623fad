import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createSeller } from '../../test/support/factories.ts'
import { onBoth } from './place.ts'
import { createProgramOn, type Service, send, startService, stopService } from './service.ts'

export const summary =
  'kill -9 at least 20 times under sales, visits and payouts: what was acknowledged is there, once. Both databases.'
export const unit = 'acknowledged writes on each database'
export const defaultSize = 10_000

const leastKills = 20
const workers = 12

type Acknowledged = {
  /** The sale id by external id. */
  sales: Map<string, string>
  visits: Set<string>
  payouts: Set<string>
}

type Target = { address: string; secret: string; publishableKey: string; coupon: string; token: string }

/** One write. Throws if it was not answered. */
async function write(target: Target, n: number, acknowledged: Acknowledged): Promise<void> {
  const { address, secret, publishableKey, coupon, token } = target
  const post = async (path: string, body?: object, more?: Record<string, string>) => {
    const { status, body: text } = await send(address, secret, 'POST', path, body, more)
    if (![200, 201, 404, 409, 422, 503].includes(status)) throw new Error(`${path}: ${status} ${text}`)
    return status < 300 ? JSON.parse(text) : null
  }
  if (n % 50 === 0) {
    const { status, body } = await send(address, secret, 'GET', '/v1/payouts?state=pending&limit=1')
    const [payout] = status === 200 ? JSON.parse(body).data : []
    if (payout && (await post(`/v1/payouts/${payout.id}/pay`))) acknowledged.payouts.add(payout.id)
  } else if (n % 2 === 0) {
    const fields = { key: publishableKey, token }
    const visit = await post('/track/visits', fields, { 'User-Agent': `Mozilla/5.0 (X11) ${n}-${randomInt(2 ** 40)}` })
    if (visit) acknowledged.visits.add(visit.referral_id)
  } else {
    const externalId = `${n}-${randomInt(2 ** 40)}`
    const sale = { coupon, amount_cents: 1_000 + (n % 7), external_id: externalId, email: `c${n % 400}@b.test` }
    const recorded = await post('/v1/conversions', sale)
    if (recorded) acknowledged.sales.set(externalId, recorded.sale_id)
  }
}

async function killAndWrite(env: Record<string, string>, least: number) {
  const acknowledged: Acknowledged = { sales: new Map(), visits: new Set(), payouts: new Set() }
  const count = () => acknowledged.sales.size + acknowledged.visits.size + acknowledged.payouts.size
  let service: Service | null = await startService(env)
  let { address } = service
  const program = await createProgramOn(() => address)
  const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
  let isOver = false
  let next = 0
  const errors: string[] = []
  const writing = Array.from({ length: workers }, async () => {
    while (!isOver) {
      if (!service) {
        await pause(10)
        continue
      }
      next += 1
      await write({ ...program, address, coupon, token: link.token }, next, acknowledged).catch(async (error) => {
        // A request that the kill has cut off is in doubt, and not counted.
        if (!('code' in error)) errors.push(String(error))
        await pause(10)
      })
    }
  })
  let kills = 0
  let slowestStartMs = 0
  while (kills < leastKills || count() < least) {
    const before = count()
    const wanted = Math.ceil(least / leastKills)
    while (count() < before + wanted) await pause(5)
    await pause(randomInt(30))
    const killed: Service = service
    service = null
    killed.process.kill('SIGKILL')
    await killed.exited
    kills += 1
    const startedAt = performance.now()
    const started = await startService(env)
    slowestStartMs = Math.max(slowestStartMs, performance.now() - startedAt)
    address = started.address
    service = started
  }
  isOver = true
  await Promise.all(writing)
  await stopService(service)
  return { acknowledged, kills, errors, slowestStartMs, programId: program.id, written: count() }
}

export async function run(least: number): Promise<void> {
  await onBoth(async (env, kind) => {
    const { acknowledged, kills, errors, slowestStartMs, programId, written } = await killAndWrite(env, least)
    const { sales, visits, payouts } = acknowledged
    const log = pino({ level: 'silent' })
    const options = { dataDir: env.DATA_DIR as string, log, ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }) }
    const database = await openDatabase(options)
    const { db } = database
    const where = { programId }
    const rows = await db.sale.findMany({ where, select: { id: true, externalId: true } })
    const idsOf = groupBy(rows, (row) => row.externalId)
    const lost = [...sales].filter(([externalId, id]) => !idsOf.get(externalId)?.some((row) => row.id === id)).length
    const doubled = [...idsOf.values()].filter((same) => same.length > 1).length
    const referrals = new Set((await db.referral.findMany({ where, select: { id: true } })).map(({ id }) => id))
    const paid = new Set((await db.payout.findMany({ where: { ...where, paidAt: { not: null } } })).map(({ id }) => id))
    const saleEvents = await db.event.findMany({
      where: { ...where, type: 'sale.created' },
      select: { subjectId: true },
    })
    const eventsOf = groupBy(saleEvents, (event) => event.subjectId)
    const told = rows.filter(({ id }) => eventsOf.get(id)?.length === 1).length
    const findings = await examine(database)
    console.log(
      `${kind}: ${kills} kills, ${written} acknowledged writes (${sales.size} sales, ${visits.size} visits, ${payouts.size} payouts)`,
    )
    console.log(
      `  sales: ${lost} lost, ${doubled} doubled; visits: ${[...visits].filter((id) => !referrals.has(id)).length} lost; payouts: ${[...payouts].filter((id) => !paid.has(id)).length} lost`,
    )
    console.log(
      `  events: ${told} of ${rows.length} sales have exactly one, ${saleEvents.length} in all; doctor: ${findings.length} findings`,
    )
    console.log(
      `  other answers: ${errors.length}${errors[0] ? ` (${errors[0]})` : ''}; slowest start after a kill: ${slowestStartMs.toFixed(0)} ms`,
    )
    await database.close()
  })
}

function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value])
  return groups
}
