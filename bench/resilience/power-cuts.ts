import { randomInt } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { durableStartParams } from '../../src/database/embedded/durable-fs.ts'
import { extensions } from '../../src/database/embedded/extensions.ts'
import { connectEmbedded, openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createApp } from '../../src/server/app.ts'
import { createTestProgram, graphqlClient } from '../../test/support/app.ts'
import { createSeller, recordVisit } from '../../test/support/factories.ts'
import { PowerCutFS } from '../../test/support/power-cut-fs.ts'
import { withDataDir } from './place.ts'
import { adminToken } from './service.ts'

export const summary =
  'Power cuts during sales, visits and payouts, simulated: only synced bytes survive. Embedded database.'
export const unit = 'power cuts'
export const defaultSize = 50

const log = pino({ level: 'silent' })
const lanes = 4

type Acknowledged = { sales: string[]; visits: string[]; payouts: string[] }

export async function run(cuts: number): Promise<void> {
  await withDataDir(async (dataDir) => {
    await (await openDatabase({ dataDir, log })).close()
    const live = join(dataDir, 'db')
    const disk = join(dirname(dataDir), 'disk')
    cpSync(live, disk, { recursive: true })
    const pglite = await PGlite.create({ fs: new PowerCutFS(live, disk), startParams: durableStartParams, extensions })
    const database = await connectEmbedded(pglite, () => pglite.close())
    const app = createApp({ database, adminToken, publicUrl: () => 'http://localhost', log })
    const operator = graphqlClient(app.fetch, { Authorization: `Bearer ${adminToken}` })
    const program = await createTestProgram(app.fetch, operator, {})
    const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const acknowledged: Acknowledged = { sales: [], visits: [], payouts: [] }
    let count = 0
    let isOver = false
    let isChecking = false
    let cutAt = Number.POSITIVE_INFINITY
    let cut = () => {}
    /** The disk is copied at the moment of an acknowledgement: nothing else runs meanwhile. */
    const acknowledge = (ids: string[], id: string) => {
      ids.push(id)
      count += 1
      if (count >= cutAt) cut()
    }
    const working = Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !isOver; n += 1) {
        while (isChecking) await pause(5)
        if (n % 20 === 19) {
          const [payout] = (await program.get('/payouts?state=pending&limit=1')).body.data
          if (payout && (await program.post(`/payouts/${payout.id}/pay`)).status === 200)
            acknowledge(acknowledged.payouts, payout.id)
        } else if (n % 3 === 0) acknowledge(acknowledged.visits, (await recordVisit(program, link.token)).id)
        else {
          const sale = { coupon, amount_cents: 1_000, external_id: `${lane}-${n}` }
          const { status, body } = await program.post('/conversions', sale)
          if (status === 201) acknowledge(acknowledged.sales, body.sale_id)
        }
      }
    })
    let opened = 0
    let lost = 0
    let findings = 0
    for (let n = 0; n < cuts; n += 1) {
      const copy = join(dirname(dataDir), 'after-the-cut')
      const known = await new Promise<Acknowledged>((resolve) => {
        cut = () => {
          cutAt = Number.POSITIVE_INFINITY
          cpSync(disk, join(copy, 'db'), { recursive: true })
          resolve(structuredClone(acknowledged))
        }
        cutAt = count + randomInt(1, 40)
      })
      isChecking = true
      const recovered = await openDatabase({ dataDir: copy, log }).catch((error) => console.error(String(error)))
      if (recovered) {
        opened += 1
        const { db } = recovered
        // A payout that several lanes pay is acknowledged to each of them.
        const missing = async (ids: string[], find: (where: { id: { in: string[] } }) => Promise<number>) => {
          const unique = [...new Set(ids)]
          return unique.length - (await find({ id: { in: unique } }))
        }
        lost += await missing(known.sales, (where) => db.sale.count({ where }))
        lost += await missing(known.visits, (where) => db.referral.count({ where }))
        lost += await missing(known.payouts, (where) => db.payout.count({ where: { ...where, paidAt: { not: null } } }))
        findings += (await examine(recovered)).length
        await recovered.close()
      }
      rmSync(copy, { recursive: true, force: true })
      isChecking = false
      console.log(`${n + 1} of ${cuts}: ${opened} opened, ${lost} lost`)
    }
    isOver = true
    await Promise.all(working)
    app.stop()
    await database.close()
    console.log(
      `${cuts} power cuts: ${opened} opened; of ${count} acknowledged writes ${lost} lost; doctor: ${findings} findings`,
    )
  })
}
