import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describeCause, OperatorError } from './operator-error.ts'

/**
 * One process may open a data directory. Each process that wants it listens on a socket of its own in it, then calls
 * every other socket there: one that answers is a living process, one that refuses is left over from a dead one. A
 * process owns the directory when no other answers; since each listens before it looks, two can not both find themselves
 * alone. The kernel closes a socket with its process, so kill -9 leaves no lock, and a socket in a shared volume is
 * reached from every container on the host, where process ids and abstract sockets are not.
 */
export type DirectoryLock = { release(): Promise<void> }

/** Answers a command that another process sent to the owner; it writes to the socket and ends it. */
export type CommandHandler = (command: string, socket: Socket) => void

const socketName = /^server-[0-9a-f]{16}\.sock$/
const answerWithinMs = 500
const ownerAnswersWithinMs = 10_000
const greetings = { owner: 'o', candidate: 'c' } as const

export async function lockDirectory(dataDir: string, onCommand: CommandHandler): Promise<DirectoryLock> {
  const name = `server-${randomBytes(8).toString('hex')}.sock`
  let isOwner = false
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    socket.write(isOwner ? greetings.owner : greetings.candidate)
    socket.once('data', (data) => onCommand(data.toString('utf8').trim(), socket))
  })
  await listen(server, dataDir, name)
  const release = async () => {
    await rm(join(dataDir, name), { force: true })
    for (const socket of open) socket.destroy()
    await new Promise<void>((done) => server.close(() => done()))
  }
  try {
    await waitUntilAlone(dataDir, name)
  } catch (error) {
    await release()
    throw error
  }
  isOwner = true
  return { release }
}

/** Connects to the process that owns the directory; undefined when there is none. */
export async function callOwner(dataDir: string): Promise<Socket | undefined> {
  for (const name of await listSockets(dataDir)) {
    const answer = await call(dataDir, name, ownerAnswersWithinMs)
    if (answer?.greeting === greetings.owner) return answer.socket
    answer?.socket.destroy()
    if (answer?.greeting === '') {
      throw new OperatorError(`The process that uses the data directory ${resolve(dataDir)} does not answer.`)
    }
  }
  return undefined
}

async function waitUntilAlone(dataDir: string, ownName: string): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const others = await findLiving(dataDir, ownName)
    if (others.length === 0) return
    // Of several that start at the same moment the lowest name stays; it waits for the others to leave.
    const isBeaten = others.some((other) => other.greeting !== greetings.candidate || other.name < ownName)
    if (isBeaten || Date.now() > deadline) throw inUse(dataDir)
    await pause(20)
  }
}

async function findLiving(dataDir: string, ownName: string): Promise<{ name: string; greeting: string }[]> {
  const living: { name: string; greeting: string }[] = []
  for (const name of await listSockets(dataDir)) {
    if (name === ownName) continue
    const answer = await call(dataDir, name, answerWithinMs)
    answer?.socket.destroy()
    if (answer) living.push({ name, greeting: answer.greeting })
    else await rm(join(dataDir, name), { force: true })
  }
  return living
}

async function listSockets(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  return names.filter((name) => socketName.test(name))
}

async function listen(server: Server, dataDir: string, name: string): Promise<void> {
  await withShortPath(dataDir, async (folder) => {
    await new Promise<void>((done, fail) => {
      server.once('error', fail)
      server.listen({ path: join(folder, name) }, () => {
        server.off('error', fail)
        done()
      })
    })
  }).catch((error) => {
    throw new OperatorError(
      `Can not lock the data directory ${resolve(dataDir)}: ${describeCause(error)}. It must be writable and on a file system that has unix sockets.`,
    )
  })
  server.on('error', () => {})
  server.unref()
}

type Answer = { greeting: string; socket: Socket }

async function call(dataDir: string, name: string, withinMs: number): Promise<Answer | undefined> {
  return await withShortPath(
    dataDir,
    (folder) =>
      new Promise<Answer | undefined>((done) => {
        const socket = connect({ path: join(folder, name) })
        // A process that is alive but busy, or stopped, accepts and stays silent; it still owns what it owned.
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

/** A socket's path has about 100 bytes; a short-lived link in the temporary folder stands for a long data directory. */
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
