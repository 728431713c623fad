import { once } from 'node:events'
import { connect } from 'node:net'

export type RawAnswer = { status: number; text: string; milliseconds: number }

/** Sends bytes in parts, and returns everything that was received until the connection ends. */
export async function sendRaw(port: number, parts: Iterable<string | Buffer>, waitMs = 35_000): Promise<RawAnswer> {
  const startedAt = performance.now()
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  let answeredAt = 0
  socket.on('data', (chunk) => {
    answeredAt ||= performance.now()
    received.push(chunk)
  })
  // A server that answers before it has read everything may close the connection.
  socket.on('error', () => {})
  // Not `once`, which fails with the first error.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.setTimeout(waitMs, () => socket.destroy())
  for (const part of parts) {
    if (answeredAt > 0 || socket.destroyed) break
    if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
  }
  await closed
  const text = Buffer.concat(received).toString('latin1')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  return { status, text, milliseconds: (answeredAt || performance.now()) - startedAt }
}
