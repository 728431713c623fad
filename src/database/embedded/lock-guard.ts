import { statSync } from 'node:fs'
import { createServer } from 'node:net'

/** Identifies a directory whatever its path is. */
export function identify(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true })
  return `${dev}-${ino}`
}

/**
 * Holds an abstract socket for the directory, which nobody can remove and which ends with its process. Only processes
 * in the same network namespace see it, so the sockets in the directory are needed too. Linux only.
 * @returns a function that releases the name, or null if another process holds it
 */
export async function holdName(directory: string): Promise<(() => Promise<void>) | null> {
  if (process.platform !== 'linux') return async () => {}
  const server = createServer((socket) => socket.destroy())
  const code = await new Promise<string | undefined>((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code))
    server.listen({ path: `\0tributary-${identify(directory)}` }, () => done(undefined))
  })
  if (code === 'EADDRINUSE') return null
  // A sandbox may forbid abstract sockets.
  if (code !== undefined) return async () => {}
  server.unref()
  return () => new Promise<void>((done) => void server.close(() => done()))
}
