import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Server = { address: string; pid: number; stop(): Promise<void> }

const inPeers = (path: string) => fileURLToPath(new URL(`peers/${path}`, import.meta.url))

/** PostGraphile needs a newer Node.js than the product: this one, or the one among the peers' packages. */
function newerNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const bundled = inPeers(`node_modules/node-linux-${process.arch}/bin/node`)
  if (!existsSync(bundled))
    throw new Error('PostGraphile needs Node.js 22 or later: npm ci --prefix bench/peers installs one.')
  return bundled
}

/** With the options of `npm start`. */
const tributary = (env: Record<string, string>): Promise<Server> =>
  start(process.execPath, ['--max-semi-space-size=32', 'dist/main.js'], {
    NODE_ENV: 'production',
    ADMIN_TOKEN: randomBytes(12).toString('hex'),
    // Everything comes from one address here.
    TRACKING_VISITS_PER_MINUTE: '1000000',
    PORT: '0',
    ...env,
  })

/** Tributary as it is built, and the servers that it is measured against. Each is one process. */
export const servers = {
  Tributary: (databaseUrl: string, env: Record<string, string> = {}) =>
    tributary({ DATABASE_URL: databaseUrl, ...env }),
  'node:http, one statement': (databaseUrl: string) => startPeer(process.execPath, [inPeers('limit.mjs')], databaseUrl),
  'fastify + pg': (databaseUrl: string) => startPeer(process.execPath, [inPeers('fastify-pg.mjs')], databaseUrl),
  'fastify + Prisma': (databaseUrl: string) =>
    startPeer(process.execPath, ['--import', 'tsx', inPeers('fastify-prisma.mjs')], databaseUrl),
  'PostGraphile 5': (databaseUrl: string) =>
    startPeer(newerNode(), [inPeers('postgraphile.mjs')], databaseUrl, { GRAPHILE_ENV: 'production' }),
}

export type ServerName = keyof typeof servers

export const startEmbedded = (dataDir: string, env: Record<string, string> = {}) =>
  tributary({ DATA_DIR: dataDir, DATABASE_URL: '', ...env })

const startPeer = (command: string, args: string[], databaseUrl: string, env: Record<string, string> = {}) =>
  start(command, args, { NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...env })

/** Waits for the line with which a server says that it is ready. Its other output is read and dropped. */
async function start(command: string, args: string[], env: Record<string, string>): Promise<Server> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill()
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('service ready')) continue
    child.stdout.resume()
    return { address: JSON.parse(line).address as string, pid: child.pid as number, stop }
  }
  throw new Error(`${args.join(' ')} did not start.`)
}
