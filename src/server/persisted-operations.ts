import { readFile } from 'node:fs/promises'
import { defaultExtractPersistedOperationId, usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations'
import { parse, validate } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { OperatorError } from '../database/operator-error.ts'
import * as portalOperations from '../generated/portal/graphql.ts'
import { limits } from '../graphql/cost.ts'
import { forbidden, TributaryError } from '../kernel/errors.ts'
import { publicSchema } from '../schema/schema.ts'
import type { RequestState } from './handler.ts'
import { checkShape } from './query-limits.ts'

/** Operations that clients name instead of sending them. */
export type PersistedOperations = {
  /** By hash or any other id. */
  documents: ReadonlyMap<string, string>
  /**
   * Whether keys and affiliate tokens run nothing else. The operator does, as the command line asks in its own words; a
   * token also runs what the page at /portal asks.
   */
  only: boolean
}

/**
 * Reads a list as GraphQL Code Generator's client preset writes it: `{"hash": "query …"}`.
 *
 * @throws OperatorError that names every document that the schema does not take
 */
export async function readPersistedOperations(file: string): Promise<PersistedOperations['documents']> {
  const unusable = (problems: string[]) =>
    new OperatorError(
      [`The persisted operations in ${file} are not usable:`, ...problems.map((one) => `  - ${one}`)].join('\n'),
    )
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable([`the file can not be read (${error.code}); check PERSISTED_OPERATIONS`])
  })
  const entries = entriesOf(text)
  if (!entries) throw unusable(['it has to be JSON: an object that has a document for each hash'])
  const problems = entries.flatMap(([id, document]) => problemsOf(document).map((problem) => `${id}: ${problem}`))
  if (problems.length > 0) throw unusable(problems)
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
  if (typeof text !== 'string') return ['the document is no text']
  try {
    const document = parse(text, { maxTokens: limits.tokens })
    checkShape(publicSchema, document)
    return validate(publicSchema, document).map(({ message }) => message)
  } catch (error) {
    return [(error as Error).message]
  }
}

const unknown = () =>
  // The message is a word that clients know: they send the whole query next.
  new TributaryError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')

const unnamed = () =>
  new TributaryError(
    'BAD_REQUEST',
    'Send a `query`, or name one of the list by `documentId` or `extensions.persistedQuery.sha256Hash`.',
  )

/** What the page at /portal asks, word for word: it is of this service, and runs wherever lists are kept to. */
const ofPortal: ReadonlySet<string> = new Set(
  Object.values(portalOperations).flatMap((one) =>
    one instanceof portalOperations.TypedDocumentString ? `${one}` : [],
  ),
)

/** Lets clients name an operation, as Apollo does (`extensions.persistedQuery`) or by `documentId`. */
export function usePersistedOperationList({ documents, only }: PersistedOperations): Plugin<object, RequestState>[] {
  return [
    {
      onParams({ params, context }) {
        const { actor } = (context as unknown as RequestState).context ?? {}
        if (!only || params.query === undefined || actor?.kind === 'operator') return
        if (actor?.kind !== 'affiliate' || !ofPortal.has(params.query))
          throw forbidden('Only the operations of the list are run here: name one by its hash.')
      },
    },
    usePersistedOperations({
      allowArbitraryOperations: true,
      extractPersistedOperationId: (params, ...rest) => {
        const { documentId } = params as { documentId?: unknown }
        return typeof documentId === 'string' ? documentId : defaultExtractPersistedOperationId(params, ...rest)
      },
      getPersistedOperation: (id) => documents.get(id) ?? null,
      customErrors: { notFound: unknown, keyNotFound: unnamed },
    }) as Plugin<object, RequestState>,
  ]
}
