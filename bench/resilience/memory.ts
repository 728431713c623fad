import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { withDataDir } from './place.ts'
import { residentMb, startService, stopService } from './service.ts'

export const summary = 'Memory while clients without a key send 1 MiB each at the same time.'
export const unit = 'connections'
export const defaultSize = 2_000

const body = Buffer.alloc(1024 * 1024, ' ')

export async function run(connections: number): Promise<void> {
  await withDataDir(async (dataDir) => {
    const service = await startService({ DATA_DIR: dataDir, FAILED_AUTHENTICATIONS_PER_MINUTE: '1000000' })
    const { hostname, port } = new URL(service.address)
    const before = await residentMb(service)
    const statuses = new Map<string, number>()
    const sockets: Socket[] = []
    for (let n = 0; n < connections; n += 1) {
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        const status = answer.split(' ')[1] ?? 'none'
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      socket.write(
        `POST /v1/affiliates HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer trib_${'0'.repeat(32)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      // All but the last byte, so that every body stays unfinished.
      socket.write(body.subarray(1))
      sockets.push(socket)
    }
    let most = before
    for (let n = 0; n < 100; n += 1) {
      await pause(100)
      most = Math.max(most, await residentMb(service))
    }
    for (const socket of sockets) socket.destroy()
    await pause(500)
    console.log(`${connections} connections: ${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB`)
    console.log(`answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    await stopService(service)
  })
}
