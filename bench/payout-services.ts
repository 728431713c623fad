import { setTimeout as pause } from 'node:timers/promises'
import { standIns } from '../src/cli/stand-ins/all.ts'
import type { ServiceStandIn } from '../src/cli/stand-ins/stand-in.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createPostgresBenchDatabase, operatorCtx, withClient } from './database.ts'
import { median } from './measure.ts'
import { fill } from './payout-runs.ts'
import { headersOf } from './peers.ts'
import { residentMbOf } from './resident-memory.ts'
import { type Server, servers } from './servers.ts'

export const summary =
  'Runs that are sent through the stand-ins of Stripe, PayPal and Wise with their limits of rate: time, memory, others.'
export const unit = 'payments'
export const defaultSize = 10_000

/** What sending may take, for ten thousand payments, and how much longer others may wait. */
const goals = { seconds: 120, slower: 2 }

type Measured = {
  id: 'paypal' | 'stripe' | 'wise'
  /** The limit of the stand-in, in calls a second. PayPal says 400 a minute, Stripe 100 a second, and Wise nothing. */
  perSecond: number
  options?: object
  credentials?: object
  /** Where the affiliates of `fill` are paid, in SQL. */
  address(standIn: ServiceStandIn, size: number): { sql: string; values: unknown[] }
}

const measured: readonly Measured[] = [
  { id: 'paypal', perSecond: 7, address: () => ({ sql: 'select 1', values: [] }) },
  {
    id: 'stripe',
    perSecond: 100,
    options: { secretKey: 'rk_live_stand_in' },
    credentials: { secretKey: 'rk_live_stand_in' },
    address: (standIn, size) => ({
      sql: `update affiliates a set stripe_account = given.account, paypal_email = null
        from unnest($1::text[]) with ordinality given(account, n) where a.email = given.n || '@example.com'`,
      values: [Array.from({ length: size }, (_, n) => standIn.addRecipient?.(`payee ${n}`))],
    }),
  },
  {
    id: 'wise',
    perSecond: 400,
    address: () => ({ sql: 'update affiliates set wise_email = paypal_email, paypal_email = null', values: [] }),
  },
]

export async function run(size: number): Promise<void> {
  const only = process.env.SERVICES?.split(',')
  for (const one of measured) if (!only || only.includes(one.id)) await measure(one, size)
}

async function measure({ id, perSecond, options, credentials, address }: Measured, size: number): Promise<void> {
  const kind = standIns[id]
  if (!kind) throw new Error(`No stand-in of ${id}`)
  const standIn = await kind.start({ perSecond, ...options })
  const database = await createPostgresBenchDatabase()
  try {
    const operator = operatorCtx(database.db)
    const programs = []
    for (const name of ['Pays', 'Other']) {
      const program = await createProgram(operator, { name, url: 'https://acme.test', currency: 'usd' })
      programs.push({ id: program.id, secret: (await createApiKey(operator, program.id, { name })).secret })
    }
    const [paying, other] = programs as [(typeof programs)[0], (typeof programs)[0]]
    const { sql, values } = address(standIn, size)
    await withClient(database.databaseUrl, async (client) => {
      await client.query(fill(paying.id, size))
      await client.query(sql, values)
    })
    const env = { WEBHOOK_KEY: 'key-of-the-benchmark-of-services', [kind.setting]: standIn.url }
    const server = await servers.Tributary(database.databaseUrl, env)
    try {
      const given = { ...kind.credentialsOf(standIn), ...credentials }
      const method = id.toUpperCase()
      await ask(
        server,
        paying.secret,
        'connectPayoutService',
        { service: method, credentials: given },
        'payoutService { id }',
      )
      await watchOthers(server, other.secret, () => pause(2_000))
      const alone = await watchOthers(server, other.secret, () => pause(5_000))
      const before = await residentMbOf(server.pid)
      const times = { made: 0, sent: 0, asked: 0 }
      const mb: number[] = []
      const during = await watchOthers(server, other.secret, () =>
        payAll(server, paying.secret, standIn, { method, size, times, mb }),
      )
      await report({ name: kind.name, size, perSecond, times, mb, before, alone, during })
    } finally {
      await server.stop()
    }
    const moved = [...standIn.moved().values()]
    const sum = moved.reduce((total, cents) => total + cents, 0)
    const where = { programId: paying.id }
    const { _sum } = await database.db.payoutRunItem.aggregate({ where, _sum: { goneCents: true } })
    const limited = standIn.limited
    console.log(
      `  moved ${sum}, recorded ${_sum.goneCents}, payees ${moved.length}, requests ${standIn.requests.length}, limited ${limited}`,
    )
    if (BigInt(sum) !== _sum.goneCents || moved.length !== size) throw new Error('The money differs')
  } finally {
    await database.drop()
    await standIn.close()
  }
}

type Watched = { p50: number; mostMb: number }
type Times = { made: number; sent: number; asked: number }
type Told = {
  name: string
  size: number
  perSecond: number
  times: Times
  mb: number[]
  before: number
  alone: Watched
  during: Watched
}

async function report({ name, size, perSecond, times, mb, before, alone, during }: Told): Promise<void> {
  const [made, sent, asked] = [times.made, times.sent, times.asked].map((ms) => (ms / 1_000).toFixed(1))
  const grown = Math.round(during.mostMb - before)
  console.log(
    `${name}, ${perSecond} requests a second: ${size} payments sent in ${sent} s (goal ${goals.seconds} for 10,000), made in ${made} s, asked and recorded in ${asked} s; ` +
      `memory ${before.toFixed(0)} MB, at most ${grown} MB more, after each run ${mb.join(', ')} MB; a list of another program p50 ${during.p50.toFixed(1)} ms, alone ${alone.p50.toFixed(1)}: ${(during.p50 / alone.p50).toFixed(1)} times (goal ${goals.slower})`,
  )
}

/** What a list of another program takes meanwhile, and the most memory of the server. */
async function watchOthers(server: Server, secret: string, work: () => Promise<unknown>): Promise<Watched> {
  let isOver = false
  const times: number[] = []
  let mostMb = 0
  const watch = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const response = await fetch(`${server.address}/v1/affiliates`, { headers: headersOf(secret) })
      await response.text()
      times.push(performance.now() - startedAt)
      mostMb = Math.max(mostMb, await residentMbOf(server.pid))
      await pause(50)
    }
  }
  const watching = watch()
  await work().finally(() => {
    isOver = true
  })
  await watching
  return { p50: median(times), mostMb }
}

/** A run has as many payouts as the file of the method takes, so there are several. */
async function payAll(
  server: Server,
  secret: string,
  standIn: ServiceStandIn,
  { method, size, times, mb }: { method: string; size: number; times: Times; mb: number[] },
): Promise<void> {
  for (let paid = 0; paid < size; ) {
    const lap = async (what: keyof Times, work: () => Promise<void>) => {
      const startedAt = performance.now()
      await work()
      times[what] += performance.now() - startedAt
    }
    const fields = 'payoutRun { id state payouts serviceProblem }'
    let run = { id: '', state: '', payouts: 0 }
    await lap('made', async () => {
      run = (await ask(server, secret, 'createPayoutRun', { method, currency: 'usd' }, fields)).payoutRun
    })
    const until = async (state: string, mutation: string) => {
      while (run.state !== state) {
        run = (await ask(server, secret, mutation, { id: run.id }, fields)).payoutRun
        if (run.state !== state) await pause(100)
      }
    }
    await lap('sent', () => until('SENT', 'sendPayoutRun'))
    standIn.settle()
    await lap('asked', () => until('PAID', 'refreshPayoutRun'))
    paid += run.payouts
    mb.push(Math.round(await residentMbOf(server.pid)))
  }
}

type Answer = { payoutRun: { id: string; state: string; payouts: number } }

/** Sends a mutation. A refusal is sent again: another request, or the background, may work on the run. */
async function ask(server: Server, secret: string, name: string, input: object, payload: string): Promise<Answer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${payload} } }`
  for (;;) {
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { ...headersOf(secret), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
    })
    const { data, errors } = (await response.json()) as { data: Record<string, Answer>; errors?: [{ message: string }] }
    if (!errors) return data[name] as Answer
    if (!errors[0].message.includes('at this moment')) throw new Error(errors[0].message)
    await pause(500)
  }
}
