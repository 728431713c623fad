import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { onBoth } from './place.ts'
import { createProgramOn, send, startService } from './service.ts'

export const summary = 'SIGTERM while connections send sales: no request fails, exit 0 within 10 s. Both databases.'
export const unit = 'connections'
export const defaultSize = 50

export async function run(connections: number): Promise<void> {
  await onBoth(async (env, kind) => {
    const service = await startService(env)
    const program = await createProgramOn(() => service.address)
    const { coupon } = await createSeller(program)
    const failures: string[] = []
    let answers = 0
    const clients = Array.from({ length: connections }, async (_, client) => {
      for (let n = 0; ; n += 1) {
        const sale = { coupon, amount_cents: 100, external_id: `${client}-${n}` }
        const answer = await send(service.address, program.secret, 'POST', '/v1/conversions', sale).catch(
          (error) => error,
        )
        if (answer instanceof Error) {
          // Refused: the service accepts no more connections.
          const { code } = answer as NodeJS.ErrnoException
          if (code !== 'ECONNREFUSED') failures.push(code ?? answer.message)
          return
        }
        answers += 1
        if (answer.status !== 201) failures.push(String(answer.status))
        if (answer.isLast) return
      }
    })
    await pause(3_000)
    const startedAt = performance.now()
    service.process.kill('SIGTERM')
    const code = await service.exited
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2)
    await Promise.all(clients)
    console.log(
      `${kind}: exit ${code} after ${seconds} s; ${answers} answers, ${failures.length} failures ${[...new Set(failures)].join(', ')}`,
    )
  })
}
