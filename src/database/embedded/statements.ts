import { type PGlite, parse, protocol, types } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'
import type { Sql, SqlDatabase, Statement, TextRow } from '../../kernel/db.ts'

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>
/** What PGlite reported when the statement was prepared: the types of its parameters, and the columns of its rows. */
type Prepared = { parameterTypes: number[]; columns: Messages }

/** The most statements that are kept prepared. The engine holds the plan of each in memory. */
const maximumStatements = 256

/** Every type that PGlite would convert. */
const textOnly = Object.fromEntries(
  Object.values(types).flatMap((type) => (typeof type === 'number' ? [[type, String]] : [])),
)

/** Runs statements on the connection. The caller has the connection to itself. */
export type EmbeddedStatements = {
  run: Sql['query']
  textRows: SqlDatabase['textRows']
  /** Runs a command without parameters or rows. Returns its tag: "COMMIT". */
  command(text: string): Promise<string>
}

/** Prepared statements on PGlite, whose own `query` parses and plans each time, in six calls of the engine. */
export function createEmbeddedStatements(pglite: PGlite): EmbeddedStatements {
  /** Names of statements that are no longer kept. The next call closes them. */
  const evicted: string[] = []
  const known = new LRUCache<string, Prepared>({
    max: maximumStatements,
    dispose: (_, name, reason) => void (reason === 'evict' && evicted.push(name)),
  })
  // As pg does, so that rows are the same on both databases.
  const parsers = { ...pglite.parsers, [types.INT8]: String, [types.NUMERIC]: String }
  const send = (...messages: Uint8Array[]) => pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false })

  const closeEvicted = () => evicted.splice(0).map((name) => protocol.serialize.close({ type: 'S', name }))

  async function prepare({ name, text }: Statement<unknown>): Promise<Prepared> {
    const { serialize } = protocol
    const messages = await send(
      ...closeEvicted(),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const prepared = {
      parameterTypes: parse.parseDescribeStatementResults(messages),
      columns: messages.filter(({ name }) => name === 'rowDescription'),
    }
    known.set(name, prepared)
    return prepared
  }

  async function execute(statement: Statement<unknown>, values: readonly unknown[]): Promise<Messages> {
    const { parameterTypes, columns } = known.get(statement.name) ?? (await prepare(statement))
    const { serialize } = protocol
    const texts = values.map((value, index) => {
      if (value === null || value === undefined) return null
      const toText = pglite.serializers[parameterTypes[index] ?? 0]
      return toText ? toText(value) : String(value)
    })
    const messages = await send(
      ...closeEvicted(),
      serialize.bind({ statement: statement.name, values: texts }),
      serialize.execute({}),
      serialize.sync(),
    )
    return [...columns, ...messages]
  }

  return {
    async run<Row>(statement: Statement<Row>, values: readonly unknown[] = []) {
      const [result] = parse.parseResults(await execute(statement, values), parsers)
      return (result?.rows ?? []) as Row[]
    },
    async textRows(statement, values = []) {
      const [result] = parse.parseResults(await execute(statement, values), textOnly, { rowMode: 'array' })
      return (result?.rows ?? []) as unknown[] as TextRow[]
    },
    async command(text) {
      const messages = await send(protocol.serialize.query(text))
      const complete = messages.findLast(({ name }) => name === 'commandComplete') as { text?: string } | undefined
      return complete?.text ?? ''
    },
  }
}
