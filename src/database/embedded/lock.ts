import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describeCause, OperatorError } from '../operator-error.ts'
import { diskFullMessage, isDiskFull } from './disk-full.ts'
import { holdName, identify } from './lock-guard.ts'

/**
 * Only one process may open a data directory. Each candidate listens on its own socket in the directory, then connects
 * to every other socket there; it owns the directory if none accepts. The kernel closes sockets with their process, so
 * `kill -9` leaves no lock, and sockets in a shared volume work across containers. If somebody removes the socket, the
 * process creates it again within a second, and also holds a name in the kernel.
 */
export type DirectoryLock = { release(): Promise<void> }

/** Handles a command that another process sent to the owner; writes the response to the socket and ends it. */
export type CommandHandler = (command: string, socket: Socket) => void

const socketName = /^server-[0-9a-f]{16}\.sock$/
type LockOptions = {
  /** The directory was moved or removed, or another process owns it. The caller must stop using it at once. */
  onLost?: (error: Error) => void
  watchEveryMs?: number
}

const candidateTimeoutMs = 500
const ownerTimeoutMs = 10_000
const greetings = { owner: 'o', candidate: 'c' } as const

export async function lockDirectory(
  dataDir: string,
  onCommand: CommandHandler,
  { onLost = () => {}, watchEveryMs = 1_000 }: LockOptions = {},
): Promise<DirectoryLock> {
  let isOwner = false
  const open = new Set<Socket>()
  const answer = (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    socket.write(isOwner ? greetings.owner : greetings.candidate)
    socket.once('data', (data) => onCommand(data.toString('utf8').trim(), socket))
  }
  let own = await listen(dataDir, answer)
  let releaseName = async () => {}
  let stopWatching = async () => {}
  const release = async () => {
    await stopWatching()
    await releaseName()
    await rm(join(dataDir, own.name), { force: true })
    for (const socket of open) socket.destroy()
    await new Promise<void>((done) => own.server.close(() => done()))
  }
  try {
    await waitUntilAlone(dataDir, own.name)
    const held = await holdName(dataDir)
    if (!held) throw inUse(dataDir)
    releaseName = held
  } catch (error) {
    await release()
    throw error
  }
  isOwner = true
  const identity = identify(dataDir)
  const keep = async () => {
    if (identify(dataDir) !== identity) throw new Error(`${resolve(dataDir)} was replaced by another directory`)
    const names = await listSockets(dataDir)
    if (!names.includes(own.name)) {
      own.server.close()
      own = await listen(dataDir, answer)
    }
    if (names.every((name) => name === own.name)) return
    const others = await findLiving(dataDir, own.name)
    if (others.some(({ greeting }) => greeting === greetings.owner)) throw inUse(dataDir)
  }
  stopWatching = repeat(watchEveryMs, keep, onLost)
  return { release }
}

/** Calls `check` again and again until it throws. Returns a function that stops this and waits for a running check. */
function repeat(everyMs: number, check: () => Promise<void>, onError: (error: Error) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= check()
      .catch((error: Error) => {
        clearInterval(timer)
        onError(error)
      })
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Connects to the process that owns the directory; undefined without one. */
export async function callOwner(dataDir: string): Promise<Socket | undefined> {
  for (const name of await listSockets(dataDir)) {
    const reply = await call(dataDir, name, ownerTimeoutMs)
    if (reply?.greeting === greetings.owner) return reply.socket
    reply?.socket.destroy()
    if (reply?.greeting === '') {
      throw new OperatorError(`The process that uses the data directory ${resolve(dataDir)} does not respond.`)
    }
  }
  return undefined
}

async function waitUntilAlone(dataDir: string, ownName: string): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const others = await findLiving(dataDir, ownName)
    if (others.length === 0) return
    // If several processes start at once, the one with the lowest name stays and waits until the others have left.
    const isBeaten = others.some((other) => other.greeting !== greetings.candidate || other.name < ownName)
    if (isBeaten || Date.now() > deadline) throw inUse(dataDir)
    await pause(20)
  }
}

async function findLiving(dataDir: string, ownName: string): Promise<{ name: string; greeting: string }[]> {
  const living: { name: string; greeting: string }[] = []
  for (const name of await listSockets(dataDir)) {
    if (name === ownName) continue
    const reply = await call(dataDir, name, candidateTimeoutMs)
    reply?.socket.destroy()
    if (reply) living.push({ name, greeting: reply.greeting })
    else await rm(join(dataDir, name), { force: true })
  }
  return living
}

async function listSockets(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  return names.filter((name) => socketName.test(name))
}

async function listen(
  dataDir: string,
  onConnection: (socket: Socket) => void,
): Promise<{ server: Server; name: string }> {
  const name = `server-${randomBytes(8).toString('hex')}.sock`
  const server = createServer(onConnection)
  await withShortPath(dataDir, async (folder) => {
    await new Promise<void>((done, fail) => {
      server.once('error', fail)
      server.listen({ path: join(folder, name) }, () => {
        server.off('error', fail)
        done()
      })
    })
  }).catch((error) => {
    const cause = isDiskFull(error)
      ? diskFullMessage(dataDir)
      : `${describeCause(error)}. It must be writable and on a file system that has unix sockets.`
    throw new OperatorError(`Cannot lock the data directory ${resolve(dataDir)}: ${cause}`)
  })
  server.on('error', () => {})
  server.unref()
  return { server, name }
}

type Reply = { greeting: string; socket: Socket }

async function call(dataDir: string, name: string, withinMs: number): Promise<Reply | undefined> {
  return await withShortPath(
    dataDir,
    (folder) =>
      new Promise<Reply | undefined>((done) => {
        const socket = connect({ path: join(folder, name) })
        // A live process that is busy or suspended accepts but does not write; it still owns the directory.
        const timer = setTimeout(() => done({ greeting: '', socket }), withinMs)
        socket.once('data', (data) => {
          clearTimeout(timer)
          done({ greeting: data.toString('utf8', 0, 1), socket })
        })
        socket.once('close', () => {
          clearTimeout(timer)
          done(undefined)
        })
        socket.once('error', (error: NodeJS.ErrnoException) => {
          clearTimeout(timer)
          const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === 'ECONNRESET'
          done(isGone ? undefined : { greeting: '', socket })
        })
      }),
  )
}

/** The path of a socket is limited to about 100 bytes. For a longer path, uses a temporary symbolic link. */
async function withShortPath<T>(dataDir: string, use: (folder: string) => Promise<T>): Promise<T> {
  const full = resolve(dataDir)
  if (Buffer.byteLength(full) < 70) return await use(full)
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'))
  try {
    const link = join(folder, 'd')
    await symlink(full, link)
    return await use(link)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function inUse(dataDir: string): OperatorError {
  return new OperatorError(
    `Another process uses the data directory ${resolve(dataDir)}. Stop it first, or give this one its own DATA_DIR.`,
  )
}
