import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/open.ts'
import { createSeller } from '../../test/support/factories.ts'
import { withDataDir } from './place.ts'
import { createProgramOn, send, startService, stopService } from './service.ts'

export const summary = 'A full disk and a read-only one, on a file system of its own (needs root): embedded database.'
export const unit = 'MB that are left when the disk begins to fill'
export const defaultSize = 20

const sizeMb = 250

export async function run(leftMb: number): Promise<void> {
  await withDataDir(async (dataDir) => {
    mkdirSync(dataDir, { recursive: true })
    const mount = (...options: string[]) => execFileSync('mount', [...options, dataDir])
    mount('-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=700`, 'tmpfs')
    try {
      const service = await startService({ DATA_DIR: dataDir })
      const program = await createProgramOn(() => service.address)
      const { coupon } = await createSeller(program)
      const filler = join(dataDir, 'filler')
      const { bavail, bsize } = statfsSync(dataDir)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftMb * 1024 * 1024)))
      const acknowledged: string[] = []
      const others = new Map<string, number>()
      const lanes = Array.from({ length: 8 }, async (_, lane) => {
        for (let n = 0; service.process.exitCode === null; n += 1) {
          const sale = { coupon, amount_cents: 100, external_id: `${lane}-${n}`, customer_name: 'x'.repeat(200) }
          const answer = await send(service.address, program.secret, 'POST', '/v1/conversions', sale).catch(
            (error) => error,
          )
          if (answer.status === 201) acknowledged.push(sale.external_id)
          else {
            const told = String(answer.status ?? answer.code)
            others.set(told, (others.get(told) ?? 0) + 1)
            if (answer.code === 'ECONNREFUSED') break
          }
        }
      })
      await Promise.all(lanes)
      const code = await service.exited
      const fatal = service.lines
        .filter((line) => /"level":60|FATAL|disk/i.test(line))
        .map((line) => line.slice(0, 200))
      console.log(
        `full disk: exit ${code}; ${acknowledged.length} acknowledged; other answers: ${[...others].map(([told, count]) => `${count} × ${told}`).join(', ')}`,
      )
      console.log(`  log: ${fatal.at(-1) ?? service.lines.at(-1)}`)
      const atStart = await startService({ DATA_DIR: dataDir }).then(
        (again) => stopService(again).then(() => 'started'),
        (error) => String(error),
      )
      console.log(`  start while full: ${atStart}`)
      rmSync(filler)
      await stopService(await startService({ DATA_DIR: dataDir }))
      const { db, close } = await openDatabase({ dataDir, log: pino({ level: 'silent' }) })
      const there = await db.sale.count({ where: { externalId: { in: acknowledged } } })
      await close()
      console.log(`  with space again: ${there} of ${acknowledged.length} acknowledged sales are there`)
      mount('-o', 'remount,ro')
      const readOnly = await startService({ DATA_DIR: dataDir }).then(
        () => 'started',
        (error) => String(error),
      )
      console.log(`read-only directory: ${readOnly}`)
    } finally {
      execFileSync('umount', ['-l', dataDir])
    }
  })
}
