import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../../src/database/open.ts'
import { adminToken, createInstance, createTestApp, testKey } from '../../../support/app.ts'
import { createPostgresClone, silentLog } from '../../../support/database.ts'
import { createAffiliate } from '../../../support/factories.ts'
import { countBy, isPostgres, needsPostgres, times } from '../../../support/parallel.ts'

describe.skipIf(!isPostgres)('two instances on one database', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const { url, drop } = await createPostgresClone()
  const options = { databaseUrl: url, dataDir: '/nowhere', log: silentLog }
  const [here, there] = [await openDatabase(options), await openDatabase(options)]
  const closeAll = async () => {
    await here.close()
    await there.close()
    await drop()
  }
  const test = await createTestApp({ database: { ...here, drop: closeAll } })
  const webhooks = { key: testKey, allowedHosts: [], allowHttp: true, isIdle: true }
  const settings = { adminToken, publicUrl: () => 'http://localhost:4001', log: silentLog, webhooks }
  const other = createInstance({ database: there, ...settings, now: () => test.clock.now })

  const redeem = ({ fetch }: Pick<typeof other, 'fetch'>, ticket: string) =>
    fetch(
      new Request('http://localhost:4000/portal/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ticket }),
      }),
    )

  it('accept one of 40 concurrent requests with the same ticket', async () => {
    const program = await test.createProgram()
    const { id } = await createAffiliate(program)
    const rounds = 10
    for (let round = 0; round < rounds; round++) {
      const { sso } = (await program.get(`/affiliates/${id}/sso`)).body
      const ticket = new URL(sso.url).hash.slice('#ticket='.length)
      const answers = await times(40, (index) => redeem(index % 2 ? test.app : other, ticket))
      expect(countBy(answers.map(({ status }) => status))).toEqual({ 201: 1, 401: 39 })
    }
    expect((await here.db.affiliate.findFirstOrThrow({ where: { id } })).signInCount).toBe(rounds)
  })

  it("accept each other's tickets, and many tickets concurrently", async () => {
    const program = await test.createProgram()
    const { id } = await createAffiliate(program)
    const tickets = await times(20, async () => {
      const { sso } = (await program.get(`/affiliates/${id}/sso`)).body
      return new URL(sso.url).hash.slice('#ticket='.length)
    })
    const answers = await Promise.all(tickets.map((ticket) => redeem(other, ticket)))
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 201: 20 })
    expect((await here.db.affiliate.findFirstOrThrow({ where: { id } })).signInCount).toBe(20)
  })
})
