import type { Import } from '../../generated/prisma/client.ts'
import type { Result } from './batch.ts'
import type { RecordKind } from './input.ts'

type KindProgress = {
  nextPage: number
  isDone: boolean
  created: number
  updated: number
  /** Records that wait until all others of the kind are there. */
  waiting: unknown[]
}

/** How far an import has come; kept with each batch, in the same transaction. */
export type Progress = { madeProgram: boolean; kinds: Partial<Record<RecordKind, KindProgress>> }

export const progressOf = (row: Pick<Import, 'progress'>): Progress => row.progress as unknown as Progress

export const noProgress = (): KindProgress => ({ nextPage: 1, isDone: false, created: 0, updated: 0, waiting: [] })

type Step = {
  kind: RecordKind
  nextPage?: number | undefined
  isLast?: boolean | undefined
  waiting?: unknown[] | undefined
}

/** The progress after a batch. */
export function advance(progress: Progress, step: Step, results: Iterable<Result>): Progress {
  const kinds = { ...progress.kinds }
  for (const { kind, outcome } of results) {
    const before = kinds[kind] ?? noProgress()
    if (outcome === 'created' || outcome === 'updated') kinds[kind] = { ...before, [outcome]: before[outcome] + 1 }
  }
  const before = kinds[step.kind] ?? noProgress()
  kinds[step.kind] = {
    ...before,
    nextPage: Math.max(before.nextPage, step.nextPage ?? 1),
    isDone: before.isDone || step.isLast === true,
    waiting: step.isLast ? [] : [...before.waiting, ...(step.waiting ?? [])],
  }
  return { ...progress, kinds }
}
