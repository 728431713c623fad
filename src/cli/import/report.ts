import { readableAmount } from '../../kernel/money/decimals.ts'
import { keptForShadow } from '../../modules/imports/commissions/kept-fields.ts'
import type { DryRunResult } from './dry-run.ts'
import { printable } from './printable.ts'
import type { FinalReport } from './target.ts'

const kindNouns: Record<string, string> = {
  CAMPAIGN: 'campaigns',
  AFFILIATE: 'affiliates',
  AFFILIATE_LINK: 'links',
  AFFILIATE_COUPON: 'coupons',
  REFERRAL: 'referrals',
  SALE: 'sales',
  COMMISSION: 'commissions',
  PAYOUT: 'payouts',
}

const nounOf = (kind: string) => kindNouns[kind] ?? kind.toLowerCase()

/** Open payouts are not compared: they are collected here from the commissions, which are compared themselves. */
const isCompared = ({ kind, state }: FinalReport['sums'][number]) => !(kind === 'PAYOUT' && state === 'PENDING')

const differs = (sum: FinalReport['sums'][number]) =>
  sum.sourceCount !== sum.hereCount || sum.sourceCents !== sum.hereCents

/** Whether both sides have the same records and amounts, and nothing was left out. */
export const agrees = ({ kinds, sums, notes }: FinalReport): boolean =>
  kinds.every(({ kind, source, here, leftOut }) => leftOut === 0 && (kind === 'PAYOUT' || source === here)) &&
  !sums.some((sum) => isCompared(sum) && differs(sum)) &&
  !notes.some(({ isLeftOut }) => isLeftOut)

/** Whether commissions are only kept, to be compared with what a shadow computes. */
const keepsForShadow = ({ notes }: FinalReport): boolean => notes.some(({ note }) => note === keptForShadow)

/** The report of a run for people: counts and amounts at the source and here, and the notes. */
export function reportText(program: { id: string; name: string }, report: FinalReport): string {
  const kinds = report.kinds.map(({ kind, source, here, created, updated, leftOut }) => [
    nounOf(kind),
    source,
    here,
    created,
    updated,
    source - created - updated - leftOut,
    leftOut,
  ])
  const sums = report.sums.map((sum) => [
    `${nounOf(sum.kind)} ${sum.state.toLowerCase()}`,
    sum.currency,
    sum.sourceCount,
    readableAmount(BigInt(sum.sourceCents), sum.currency),
    sum.hereCount,
    readableAmount(BigInt(sum.hereCents), sum.currency),
    differs(sum) ? (isCompared(sum) ? '<- differs' : '<- collected differently') : '',
  ])
  return [
    printable(`Imported into the program "${program.name}", ${program.id}.`),
    table(['', 'source', 'here', 'new', 'updated', 'unchanged', 'left out'], kinds),
    table(['', '', 'source', '', 'here', '', ''], sums),
    ...noteTexts(report.notes),
    agrees(report)
      ? 'Both sides agree.'
      : keepsForShadow(report)
        ? 'The program is a shadow: commissions, sales and payouts are compared by `tributary shadow report`.'
        : 'The two sides differ. See the notes above. Correct the problems, then run the same command again.',
  ].join('\n\n')
}

const dryRunAgrees = ({ kinds, notes }: DryRunResult): boolean =>
  [...kinds.values()].every(({ leftOut }) => leftOut === 0) && ![...notes.values()].some(({ isLeftOut }) => isLeftOut)

/** The JSON report of a dry run. It has the shape of a run's report, without what only a run knows. */
export const dryRunReport = (result: DryRunResult) => ({
  dryRun: true,
  program: result.program,
  agrees: dryRunAgrees(result),
  kinds: [...result.kinds].map(([kind, counts]) => ({ kind, ...counts })),
  notes: notesOf(result),
})

const notesOf = ({ notes }: DryRunResult): FinalReport['notes'] =>
  [...notes.values()].map((note) => ({ ...note, count: note.count ?? note.externalIds.length }))

export function dryRunText(result: DryRunResult): string {
  const { program, kinds } = result
  const rows = Object.keys(kindNouns).flatMap((kind) => {
    const counts = kinds.get(kind)
    if (!counts) return []
    return [[nounOf(kind), counts.source, counts.created, counts.updated, counts.unchanged, counts.leftOut]]
  })
  const name = program?.name === undefined ? '' : ` "${program.name}",`
  const into = program ? `into the program${name} ${program.id}` : 'into a new program'
  return [
    printable(`Dry run: nothing was written. An import ${into} would have these results.`),
    table(['', 'source', 'new', 'updated', 'unchanged', 'left out'], rows),
    ...noteTexts(notesOf(result)),
  ].join('\n\n')
}

function noteTexts(notes: FinalReport['notes']): string[] {
  const lines = (isLeftOut: boolean) =>
    notes
      .filter((note) => note.isLeftOut === isLeftOut)
      .map(({ kind, note, count, externalIds }) => {
        const shown = externalIds.slice(0, 5).join(', ') + (count > Math.min(5, externalIds.length) ? ', …' : '')
        return printable(`  ${count} ${nounOf(kind)}: ${note}${externalIds.length > 0 ? ` (${shown})` : ''}`)
      })
  const [leftOut, changed] = [lines(true), lines(false)]
  return [
    ...(leftOut.length > 0 ? [['Left out:', ...leftOut].join('\n')] : []),
    ...(changed.length > 0 ? [['Imported with changes:', ...changed].join('\n')] : []),
  ]
}

/** A table with the first column aligned left and the others right. */
function table(head: string[], rows: readonly (string | number)[][]): string {
  const all = [head, ...rows.map((row) => row.map((cell) => printable(String(cell))))]
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
