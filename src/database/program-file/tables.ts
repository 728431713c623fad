import { type Query, readTables as readAllTables, type Table } from '../tables.ts'

/** Tables that are not in a program's file. A test checks that each table is exported or named here. */
export const notExported: Record<string, string> = {
  encryption_checks: 'of the key of an installation',
  installation_changes: 'the history of an installation',
  people: 'accounts are of an installation; members are exported with their e-mail address',
  person_accounts: 'passwords do not leave an installation',
  person_sessions: 'sessions are of an installation',
  person_verifications: 'steps of sign-ins of an installation',
  second_factors: 'second factors do not leave an installation',
  sign_in_attempts: 'counts of sign-ins of an installation',
  stray_objects: 'objects to delete in the bucket of an installation',
}

/** The columns that name the program of a row, where they are not `program_id`. */
const programColumns: Record<string, string> = { programs: 'id', idempotency_keys: 'scope' }

export const programColumnOf = (table: string): string =>
  Object.hasOwn(programColumns, table) ? (programColumns[table] as string) : 'program_id'

/** The tables whose rows belong to a person: they are imported for people with the same e-mail address. */
export const ofPeople: readonly string[] = ['connected_apps', 'members', 'saved_queries', 'saved_views']

/** Tables whose rows are not compared: an import changes access. */
export const notCompared: readonly string[] = [...ofPeople, 'invitations']

/** Columns that are encrypted with the key of an installation, or are of it alone, so that they differ in a copy. */
const ownColumns: Record<string, readonly string[]> = {
  affiliate_token_secrets: ['secret', 'previous_secret'],
  // An import can revoke keys.
  api_keys: ['revoked_at'],
  feeds: ['secret', 'previous_secret', 'lease', 'lease_ends_at'],
  idempotency_keys: ['answer'],
  invoices: ['supplier_tax_id'],
  payout_runs: ['lease', 'lease_ends_at'],
  payout_services: ['credentials', 'previous_credentials'],
  programs: ['closed_at', 'deleted_at', 'base'],
  statement_keys: ['secret'],
  tax_profiles: ['tax_id', 'us_tax_id'],
  webhook_endpoints: ['secret', 'previous_secret'],
}

/** Small tables that a file of changes has completely: they change by themselves, or have other keys in a copy. */
const replacedWhole: readonly string[] = [
  ...notCompared,
  'affiliate_measure_deltas',
  'analytics_calendars',
  'analytics_deltas',
  'api_keys',
  'data_checks',
  'event_sweeps',
  'failed_requests',
  'feed_events',
  'feed_objects',
  'former_earnings',
  'idempotency_keys',
  'list_deltas',
  'sso_redemptions',
]

export type ProgramTable = Table & {
  of(programId: string): string
  /** The columns that differ in a copy, or that it numbers anew. */
  own: readonly string[]
  /** The columns of the primary key by which ranges are made: those that every database orders in the same way. */
  place: Table['key']
  /** Whether a copy numbers the rows anew. The service adds waiting rows to other tables. */
  isNumberedAnew: boolean
  isReplacedWhole: boolean
}

/** The tables with rows of programs, from the catalog, each after those that its rows refer to. */
export async function readProgramTables(query: Query): Promise<ProgramTable[]> {
  const tables = await readAllTables(query)
  return tables.flatMap((table) => {
    const column = programColumns[table.name] ?? table.columns.find(({ name }) => name === 'program_id')?.name
    if (column === undefined) {
      if (Object.hasOwn(notExported, table.name)) return []
      throw new Error(`${table.name} is neither exported with a program nor named as not exported`)
    }
    const numbered = table.columns.filter(({ hasSequence }) => hasSequence).map(({ name }) => name)
    const own = [...(ownColumns[table.name] ?? []), ...numbered]
    const key = table.key.filter(({ name }) => name !== column)
    const firstText = key.findIndex(({ type }) => /^(text|character)/.test(type))
    return [
      {
        ...table,
        own,
        of: (programId: string) => `"${column}" = '${programId}'`,
        place: firstText < 0 ? key : key.slice(0, firstText),
        isNumberedAnew: numbered.length > 0,
        isReplacedWhole: replacedWhole.includes(table.name),
      },
    ]
  })
}
