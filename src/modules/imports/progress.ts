import type { Import, Prisma } from '../../generated/prisma/client.ts'
import { listedKinds, type RecordKind } from './input.ts'
import type { Result } from './plan.ts'

type KindProgress = {
  nextPage: number
  isDone: boolean
  created: number
  updated: number
  /** Records to import after all others of the kind. */
  waiting: unknown[]
}

export type Progress = { madeProgram: boolean; kinds: Partial<Record<RecordKind, KindProgress>> }

/** The column is JSON, which only this file writes. */
export const progressOf = ({ progress }: Pick<Import, 'progress'>) => progress as Prisma.JsonValue & Progress

export const newProgress = (madeProgram: boolean): Progress => ({ madeProgram, kinds: {} })

const noProgress = (): KindProgress => ({ nextPage: 1, isDone: false, created: 0, updated: 0, waiting: [] })

export const kindProgress = (row: Pick<Import, 'progress'>) =>
  listedKinds.map((kind) => ({ kind, ...(progressOf(row).kinds[kind] ?? noProgress()) }))

type Step = {
  kind: RecordKind
  nextPage?: number | undefined
  isLast?: boolean | undefined
  waiting?: unknown[] | undefined
}

export function advance(progress: Progress, step: Step, results: Iterable<Result>): Progress {
  const kinds = { ...progress.kinds }
  for (const { kind, outcome } of results) {
    const before = kinds[kind] ?? noProgress()
    if (outcome === 'created' || outcome === 'updated') kinds[kind] = { ...before, [outcome]: before[outcome] + 1 }
  }
  const before = kinds[step.kind] ?? noProgress()
  kinds[step.kind] = {
    ...before,
    // A retried batch must not go back.
    nextPage: Math.max(before.nextPage, step.nextPage ?? 1),
    isDone: before.isDone || step.isLast === true,
    waiting: step.isLast ? [] : [...before.waiting, ...(step.waiting ?? [])],
  }
  return { ...progress, kinds }
}
