import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse, validate } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { OperatorError } from '../../database/operator-error.ts'
import { limits } from '../../graphql/cost.ts'
import type { Actor } from '../../kernel/context.ts'
import { forbidden, TributaryError } from '../../kernel/errors.ts'
import { memoize } from '../../kernel/memoize.ts'
import { findPackageRoot } from '../../kernel/package-root.ts'
import { publicSchema } from '../../schema/schema.ts'
import type { GraphQLState } from '../handler.ts'
import { checkShape } from './query-limits.ts'

/** Operations that clients run by id instead of sending the query. */
export type PersistedOperations = {
  /** By id, usually a hash. */
  documents: ReadonlyMap<string, string>
  /** Whether API keys and affiliate tokens can run only these operations, and the portal's. */
  only: boolean
}

/** Reads the list of GraphQL Code Generator's client preset. @throws OperatorError with every invalid document */
export async function readPersistedOperations(file: string): Promise<PersistedOperations['documents']> {
  const invalidFile = (problems: string[]) =>
    new OperatorError(
      [`The persisted operations in ${file} are invalid:`, ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    )
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalidFile([`the file cannot be read (${error.code}); check PERSISTED_OPERATIONS`])
  })
  const entries = entriesOf(text)
  if (!entries) throw invalidFile(['the file must be JSON: an object of hashes and documents'])
  const problems = entries.flatMap(([id, document]) => problemsOf(document).map((problem) => `${id}: ${problem}`))
  if (problems.length > 0) throw invalidFile(problems)
  return new Map(entries as [string, string][])
}

function entriesOf(text: string): [string, unknown][] | null {
  try {
    const list: unknown = JSON.parse(text)
    return list && typeof list === 'object' && !Array.isArray(list) ? Object.entries(list) : null
  } catch {
    return null
  }
}

function problemsOf(text: unknown): string[] {
  if (typeof text !== 'string') return ['the document must be a string']
  try {
    const document = parse(text, { maxTokens: limits.tokens })
    checkShape(publicSchema, document)
    return validate(publicSchema, document).map(({ message }) => message)
  } catch (error) {
    return [(error as Error).message]
  }
}

/** What clients do next is by the message: they send the query with its hash, or queries without hashes from now on. */
const operationNotFound = (canRegister: boolean) =>
  canRegister
    ? new TributaryError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    : new TributaryError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')

const operationMissing = () =>
  new TributaryError(
    'BAD_REQUEST',
    'Send a `query`, or the id of a persisted operation as `documentId` or `extensions.persistedQuery.sha256Hash`.',
  )

/** What scripts/build.mjs makes of the portal's operations, together with the page. */
const portalOperations = join(findPackageRoot(), 'dist', 'portal-operations', 'operations.js')

const queriesOf = memoize(async (file: string): Promise<ReadonlySet<string>> => {
  const operations: object = await import(pathToFileURL(file).href)
  return new Set(Object.values(operations).flatMap((one) => (one instanceof String ? one.toString() : [])))
})

/** Whether the portal page sends exactly this query. A page that is not built yet sends none. */
const isPortalQuery = async (query: string): Promise<boolean> =>
  existsSync(portalOperations) && (await queriesOf(portalOperations)).has(query)

/** The portal belongs to the service, so its queries are always allowed. @throws TributaryError for other queries */
async function requireOwnQuery(actor: Actor, query: string): Promise<void> {
  if (actor.kind === 'operator' || actor.kind === 'person') return
  if (actor.kind === 'affiliate' && (await isPortalQuery(query))) return
  throw forbidden('Only persisted operations are allowed. Send the hash of one instead of a query.')
}

/** How many queries, and how many characters of them, a process keeps by their hashes. */
const registered = { max: 1_000, maxSize: 10_000_000 }

/**
 * Lets clients run an operation by id: as Apollo sends it (`extensions.persistedQuery`), or by `documentId`. Unless
 * only the operations of a list are allowed, callers that may write also register queries: they send one with its hash,
 * and from then on the hash alone. The protocol is that of Apollo's automatic persisted queries.
 */
export function usePersistedOperationList(list: PersistedOperations | undefined): Plugin<object, GraphQLState> {
  const { documents, only } = list ?? { documents: new Map<string, string>(), only: false }
  const queries = new LRUCache<string, string>({ ...registered, sizeCalculation: (query) => query.length })
  return {
    onParams({ params, setParams, context }) {
      // Yoga types the context before the server context is merged into it.
      const { actor } = (context as unknown as GraphQLState).context
      const canRegister = !only && mayWrite(actor)
      const { query } = params
      const hash = hashOf(params)
      if (query !== undefined && query !== '') {
        if (only) return requireOwnQuery(actor, query)
        if (hash !== undefined && canRegister && typeof query === 'string' && hash === sha256(query))
          queries.set(hash, query)
        return
      }
      const { documentId } = params as { documentId?: unknown }
      const id = typeof documentId === 'string' ? documentId : hash
      if (id === undefined) {
        if (list) throw operationMissing()
        return
      }
      const known = documents.get(id) ?? queries.get(id)
      if (known === undefined) throw operationNotFound(list !== undefined || canRegister)
      setParams({ ...params, query: known })
    },
  }
}

/** The hash that Apollo's protocol sends. */
function hashOf({ extensions }: GraphQLParams): string | undefined {
  const { version, sha256Hash } = (extensions?.persistedQuery ?? {}) as { version?: unknown; sha256Hash?: unknown }
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const mayWrite = (actor: Actor) =>
  actor.kind === 'api_key' ? actor.access === 'full' : actor.kind === 'operator' || actor.kind === 'person'
