import type { Earlier } from './rehearsal.ts'
import type { SourceRecord } from './wire.ts'

export type TargetInput = {
  programId: string | undefined
  name: string | undefined
  isNewProgram: boolean
  keyHash: string
  campaignIds: string[]
}

export type Operate = <T>(query: string, variables: Record<string, unknown>) => Promise<T>

export type KindProgress = { kind: string; nextPage: number; isDone: boolean; waiting: string }
export type StartedImport = { program: { id: string; name: string }; progress: KindProgress[] }
export type ImportedRecord = {
  kind: string
  externalId: string
  outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'LEFT_OUT'
  message: string | null
}
export type FinalReport = {
  kinds: { kind: string; source: number; here: number; created: number; updated: number; leftOut: number }[]
  sums: {
    kind: string
    state: string
    currency: string
    sourceCount: number
    sourceCents: number
    hereCount: number
    hereCents: number
  }[]
  notes: { kind: string; isLeftOut: boolean; note: string; count: number; externalIds: string[] }[]
}

export type Batch = {
  programId: string | undefined
  kind: string
  records: readonly SourceRecord[]
  nextPage?: number
  waiting?: readonly SourceRecord[]
  isLast?: boolean
  dryRun?: boolean
  /** Only in a dry run: earlier records that these depend on. */
  earlier?: readonly Earlier[]
}

const fields = 'program { id name } progress { kind nextPage isDone waiting }'

export const createTarget = (operate: Operate, source: string, { recordEvents = false } = {}) => ({
  /** The import that a run would continue; null if it would start one. */
  find: async (input: TargetInput): Promise<StartedImport | null> => {
    const query = `query ($source: String!, $programId: ID, $name: String, $isNewProgram: Boolean, $keyHash: String, $campaignIds: [ID!]) {
      import(source: $source, programId: $programId, name: $name, isNewProgram: $isNewProgram, keyHash: $keyHash, campaignIds: $campaignIds) { ${fields} }
    }`
    return (await operate<{ import: StartedImport | null }>(query, { ...input, source })).import
  },
  start: async (input: Record<string, unknown>): Promise<StartedImport> => {
    const query = `mutation ($input: StartImportInput!) { startImport(input: $input) { import { ${fields} } } }`
    const data = await operate<{ startImport: { import: StartedImport } }>(query, { input: { ...input, source } })
    return data.startImport.import
  },
  importRecords: async ({ records, waiting, earlier, ...batch }: Batch): Promise<ImportedRecord[]> => {
    const query = `mutation ($input: ImportRecordsInput!) { importRecords(input: $input) {
      records { kind externalId outcome message }
    } }`
    const input = {
      ...batch,
      source,
      ...(recordEvents && { recordEvents }),
      records: JSON.stringify(records),
      ...(waiting && { waiting: JSON.stringify(waiting) }),
      ...(earlier && { earlier: JSON.stringify(earlier) }),
    }
    return (await operate<{ importRecords: { records: ImportedRecord[] } }>(query, { input })).importRecords.records
  },
  finish: async (programId: string): Promise<FinalReport> => {
    const input = { programId, source, ...(recordEvents && { recordEvents }) }
    const query = `mutation ($input: FinishImportInput!) { finishImport(input: $input) {
      kinds { kind source here created updated leftOut }
      sums { kind state currency sourceCount sourceCents hereCount hereCents }
      notes { kind isLeftOut note count externalIds }
    } }`
    return (await operate<{ finishImport: FinalReport }>(query, { input })).finishImport
  },
})

export type Target = ReturnType<typeof createTarget>
