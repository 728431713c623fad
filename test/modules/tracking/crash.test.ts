import { tmpdir } from 'node:os'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { adminToken } from '../../support/app.ts'
import { type Child, makeDataDir, startChild } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { operate } from '../../support/server.ts'
import { browserName } from '../../support/tracking.ts'

async function serve(env: NodeJS.ProcessEnv): Promise<Child & { address: string }> {
  const settings = { NODE_ENV: 'production', PORT: '0', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' }
  const child = startChild('src/main.ts', [], { ...settings, TRACKING_VISITS_PER_MINUTE: '100000', ...env })
  return { ...child, address: JSON.parse(await child.ready()).address }
}

test('kill -9 during visits loses no returned referral, and the next start counts the uncounted ones', async () => {
  const postgres = inject('databases').postgres ? await createPostgresClone() : null
  if (postgres) onTestFinished(postgres.drop)
  const options = { dataDir: postgres ? tmpdir() : await makeDataDir(), databaseUrl: postgres?.url ?? '' }
  const env = { DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }
  const first = await serve(env)
  const { program } = (
    await operate(
      first.address,
      'mutation { createProgram(input: { name: "Acme", url: "https://acme.test", currency: "usd" }) { program { id publishableKey } } }',
    )
  ).createProgram
  const { affiliate } = (
    await operate(
      first.address,
      'mutation { createAffiliate(input: { email: "ada@example.com", token: "ada" }) { affiliate { id } } }',
      program.id,
    )
  ).createAffiliate
  const handedOut: string[] = []
  let visitors = 0
  const visit = async ({ address }: { address: string }) => {
    visitors += 1
    const body = JSON.stringify({ key: program.publishableKey, token: 'ada', visitor: `v${visitors}` })
    const response = await fetch(`${address}/track/visits`, {
      method: 'POST',
      headers: { 'User-Agent': browserName },
      body,
    })
    handedOut.push(((await response.json()) as { referral_id: string }).referral_id)
  }
  const killed = Promise.all(
    Array.from({ length: 20 }, async () => {
      while (handedOut.length < 100_000)
        if (
          !(await visit(first).then(
            () => true,
            () => false,
          ))
        )
          return
    }),
  )
  await expect.poll(() => handedOut.length).toBeGreaterThan(200)
  first.process.kill('SIGKILL')
  await Promise.all([killed, first.exited])

  const second = await serve(env)
  const state = async () => {
    const data = await operate(
      second.address,
      `{ affiliate(id: "${affiliate.id}") { visitors links { nodes { visitors } } } referrals { totalCount } }`,
      program.id,
    )
    const { visitors: counted, links } = data.affiliate
    return { counted, ofLink: links.nodes[0].visitors, referrals: data.referrals.totalCount }
  }
  const { referrals } = await state()
  expect(referrals).toBeGreaterThanOrEqual(handedOut.length)
  await expect.poll(state).toEqual({ counted: referrals, ofLink: referrals, referrals })

  // A graceful shutdown counts the remaining visitors.
  await Promise.all(Array.from({ length: 30 }, () => visit(second)))
  second.process.kill('SIGTERM')
  expect(await second.exited).toMatchObject({ code: 0 })
  const { db, close } = await openDatabase({ ...options, log })
  const rows = await db.referral.findMany({ select: { id: true, isCounted: true } })
  const { visitors: counted } = await db.affiliate.findFirstOrThrow()
  await close()
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(handedOut))
  expect(rows.filter(({ isCounted }) => !isCounted)).toEqual([])
  expect(counted).toBe(rows.length)
})
