import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../mutate.ts'
import { operate, ServerUnreachable } from '../operate.ts'
import { operatorOnCommandLine, withStore } from '../program-file/session.ts'

type Options = { feed: string; program?: string }
type Paused = { id: string; name: string; paused_at: string | null }

/**
 * Pauses or resumes a feed. On PostgreSQL it writes to the database itself, so a service that hangs or is down does not
 * matter. The embedded database belongs to its server: it is asked first, and the database opened if none answers.
 */
export async function setPaused(options: Options, isPaused: boolean): Promise<Paused> {
  const { databaseUrl } = readConfig(process.env)
  if (databaseUrl) return inDatabase(options, isPaused)
  return onServer(options, isPaused).catch((error) => {
    if (error instanceof ServerUnreachable) return inDatabase(options, isPaused)
    throw error
  })
}

const unknown = (feed: string) => new OperatorError(`There is no feed ${feed}. Its id is at the end of its address.`)

const inDatabase = ({ feed: id }: Options, isPaused: boolean): Promise<Paused> =>
  withStore(async ({ db }) => {
    const { isId } = await import('../../kernel/ids.ts')
    const { pauseFeed, resumeFeed } = await import('../../modules/feeds/pause.ts')
    const found = isId(id)
      ? await db.feed.findFirst({ where: { id, program: { deletedAt: null } }, include: { program: true } })
      : null
    if (!found) throw unknown(id)
    const { program } = found
    const now = () => new Date()
    const ctx = { ...operatorOnCommandLine, db: db.ofProgram(program.id), now, log: pino({ level: 'silent' }), program }
    const { name, pausedAt } = await (isPaused ? pauseFeed : resumeFeed)(ctx, id)
    return { id, name, paused_at: pausedAt?.toISOString() ?? null }
  })

async function onServer({ feed: id, program }: Options, isPaused: boolean): Promise<Paused> {
  const own = program ?? (await programOf(id))
  const name = isPaused ? 'pauseFeed' : 'resumeFeed'
  return (await mutate<{ feed: Paused }>(name, 'feed { id name paused_at: pausedAt }', { id }, own)).feed
}

/** The program of a feed: each is asked. */
async function programOf(feed: string): Promise<string> {
  const { programs } = await operate<{ programs: { id: string }[] }>('{ programs { id } }')
  for (const { id } of programs) {
    const { feeds } = await operate<{ feeds: { nodes: { id: string }[] } }>(
      '{ feeds(first: 20) { nodes { id } } }',
      {},
      id,
    )
    if (feeds.nodes.some((one) => one.id === feed)) return id
  }
  throw unknown(feed)
}
