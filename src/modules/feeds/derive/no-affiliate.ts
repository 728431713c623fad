import type { Program } from '../../../generated/prisma/client.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import type { DroppedField, FeedReport, TriedSignal } from '../../sales/decision.ts'
import { Unattributed } from '../../sales/report/attribute.ts'
import { type ReadReport, readReport, type SignallessReport } from '../../sales/report/read-report.ts'
import { pointsToAffiliate, type SaleOfFeed } from '../../sales/unattributed/of-feed.ts'
import type { saleInput } from './sale-input.ts'

type Input = ReturnType<typeof saleInput>

/** A try to find the affiliate of a sale: what was reported, and the outcome of each signal. */
export type Missed = { raw: Input; signals: TriedSignal[] }

type Given = {
  dropped: readonly DroppedField[]
  feed: FeedReport
  heardAt: Date
  now: Date
  program: Pick<Program, 'agentProvider'>
}

/**
 * What is kept of a sale that no affiliate brought: the try that says most. Null if it is no valid sale.
 * @param bare the report without a signal, if nothing was tried
 */
export function saleWithoutAffiliate(
  misses: readonly Missed[],
  bare: Input,
  { dropped, feed, heardAt, now, program }: Given,
): SaleOfFeed | null {
  const bestReport = misses.find(({ raw, signals }) => pointsToAffiliate(signals, raw.referralId ?? null)) ?? misses[0]
  const raw = bestReport?.raw ?? bare
  let report: ReadReport | SignallessReport
  try {
    report = readReport(raw, now, program)
  } catch (error) {
    if (error instanceof TributaryError) return null
    throw error
  }
  const signals = bestReport?.signals ?? ('signals' in report ? report.signals : [])
  return { report: { ...report, dropped: [...report.dropped, ...dropped], feed }, raw, signals, heardAt }
}

/** The first attempt that leads to an affiliate. @throws the last error if none does */
export async function firstAttributed<A, T>(attempts: readonly A[], report: (attempt: A) => Promise<T>): Promise<T> {
  const [attempt, ...others] = attempts
  try {
    return await report(attempt as A)
  } catch (error) {
    if (others.length === 0 || !(error instanceof Unattributed)) throw error
    return firstAttributed(others, report)
  }
}
