import { createMixedTraffic, kinds, quantile } from './mixed-traffic.ts'
import { onBoth } from './place.ts'
import { createProgramOn, residentMb, startService, stopService } from './service.ts'

export const summary = 'Mixed requests over many connections: p99 against p50, and memory. Both databases.'
export const unit = 'connections'
export const defaultSize = 100

const rounds = 4
const secondsEach = 30

export async function run(connections: number): Promise<void> {
  await onBoth(async (env, kind) => {
    const service = await startService(env)
    const program = await createProgramOn(() => service.address)
    const traffic = await createMixedTraffic(service.address, program)
    console.log(`${kind}: ${connections} connections, ${(await residentMb(service)).toFixed(0)} MB before`)
    for (let round = 0; round < rounds; round += 1) {
      const perSecond = await traffic.closedLoop(connections, secondsEach)
      const { times, unavailable, failures } = traffic.take()
      const [p50, p99] = [0.5, 0.99].map((part) =>
        quantile(
          kinds.flatMap((each) => times[each]),
          part,
        ),
      ) as [number, number]
      console.log(
        `${secondsEach} s: ${perSecond.toFixed(0)} answers a second, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${(p99 / p50).toFixed(1)} ×), ` +
          `${unavailable} answers 503, ${failures.length} failures ${[...new Set(failures)].slice(0, 3).join(', ')}; ${(await residentMb(service)).toFixed(0)} MB`,
      )
    }
    await stopService(service)
  })
}
