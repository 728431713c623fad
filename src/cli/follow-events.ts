import { operate } from './operate.ts'

export type ReadEvent = {
  id: string
  type: string
  createdAt: string
  version: number
  requestId: string
  data: Record<string, unknown>
}

type Edge = { cursor: string; node: ReadEvent }

const pageSize = 100
/** Longer than a transaction takes: an event can be committed this long after its id was made. */
const latestCommitMs = 20_000

/**
 * Follows a program's log from now on. The returned function reads the events since its last call, oldest first, each
 * once. The server may restart in between.
 * @throws OperatorError, as does the returned function
 */
export async function followEvents(
  program: string,
  types: readonly string[] | undefined,
): Promise<() => Promise<ReadEvent[]>> {
  const where = types ? { type: { in: types } } : {}
  const query = (page: string) => `query ($where: EventWhere, $size: Int, $cursor: String) {
    events(where: $where, ${page}) { edges { cursor node { id type createdAt version requestId data } } } }`
  const read = async (page: string, cursor: string | null): Promise<Edge[]> => {
    const variables = { where, size: pageSize, ...(cursor !== null && { cursor }) }
    const { events } = await operate<{ events: { edges: Edge[] } }>(query(page), variables, program)
    // Lists are newest first.
    return events.edges.reverse()
  }
  /** Events that were read, since the one from which the next call reads on. */
  let known: Edge[] = await read('first: $size, after: $cursor', null)
  /** Where the log is read on from. Null is its beginning. */
  let start: string | null = known.length === pageSize ? (known[0] as Edge).cursor : null

  return async () => {
    const ids = new Set(known.map(({ node }) => node.id))
    const found: Edge[] = []
    for (let cursor = start; ; ) {
      const page: Edge[] = await read('last: $size, before: $cursor', cursor)
      found.push(...page.filter(({ node }) => !ids.has(node.id)))
      cursor = page.at(-1)?.cursor ?? cursor
      if (page.length < pageSize) break
    }
    known = [...known, ...found].sort((a, b) => (a.node.id < b.node.id ? -1 : 1))
    const newest = known.at(-1)
    if (newest) {
      // An event that is committed from now on comes after these.
      const settled = known.filter(({ node }) => timeOf(node.id) < timeOf(newest.node.id) - latestCommitMs)
      start = settled.at(-1)?.cursor ?? start
      known = known.slice(settled.length)
    }
    return found.map(({ node }) => node)
  }
}

/** The time in a UUIDv7, in milliseconds. */
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
