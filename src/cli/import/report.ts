import { readableAmount } from '../../kernel/money/decimals.ts'
import { printable } from './printable.ts'
import type { Rehearsed } from './rehearsal.ts'
import type { FinalReport } from './target.ts'

const kindWords: Record<string, string> = {
  CAMPAIGN: 'campaigns',
  AFFILIATE: 'affiliates',
  AFFILIATE_LINK: 'links',
  AFFILIATE_COUPON: 'coupons',
  REFERRAL: 'referrals',
  SALE: 'sales',
  COMMISSION: 'commissions',
  PAYOUT: 'payouts',
}

const words = (kind: string) => kindWords[kind] ?? kind.toLowerCase()

/** What is open at the source is gathered here from the commissions, which are compared themselves. */
const counts = ({ kind, state }: FinalReport['sums'][number]) => !(kind === 'PAYOUT' && state === 'pending')

const differs = (sum: FinalReport['sums'][number]) =>
  sum.sourceCount !== sum.hereCount || sum.sourceCents !== sum.hereCents

/** Whether both sides agree and nothing was left out. */
export const agrees = ({ kinds, sums, notes }: FinalReport): boolean =>
  kinds.every(({ kind, source, here, leftOut }) => leftOut === 0 && (kind === 'PAYOUT' || source === here)) &&
  !sums.some((sum) => counts(sum) && differs(sum)) &&
  !notes.some(({ isLeftOut }) => isLeftOut)

/** Counts and sums at the source and here, and what could not be taken over as it was. */
export function finalText(program: { id: string; name: string }, report: FinalReport): string {
  const kinds = report.kinds.map(({ kind, source, here, created, updated, leftOut }) => [
    words(kind),
    source,
    here,
    created,
    updated,
    source - created - updated - leftOut,
    leftOut,
  ])
  const sums = report.sums.map((sum) => [
    `${words(sum.kind)} ${sum.state}`,
    sum.currency,
    sum.sourceCount,
    readableAmount(BigInt(sum.sourceCents), sum.currency),
    sum.hereCount,
    readableAmount(BigInt(sum.hereCents), sum.currency),
    differs(sum) ? (counts(sum) ? '<- differs' : '<- gathered otherwise') : '',
  ])
  return [
    printable(`Imported into the program "${program.name}", ${program.id}.`),
    table(['', 'source', 'here', 'new', 'updated', 'unchanged', 'left out'], kinds),
    table(['', '', 'source', '', 'here', '', ''], sums),
    ...noteTexts(report.notes),
    agrees(report)
      ? 'Both sides agree.'
      : 'Both sides do not agree: what is told above is not here, or not as it was. Once it is put right, run the same command again.',
  ].join('\n\n')
}

const rehearsedAgrees = ({ kinds }: Rehearsed): boolean => [...kinds.values()].every(({ leftOut }) => leftOut === 0)

/** What a dry run found, in the shape of a run's report as far as it goes. */
export const rehearsedReport = (rehearsed: Rehearsed) => ({
  dryRun: true,
  program: rehearsed.program,
  agrees: rehearsedAgrees(rehearsed),
  kinds: [...rehearsed.kinds].map(([kind, found]) => ({ kind, ...found })),
  notes: notesOf(rehearsed),
})

const notesOf = ({ notes }: Rehearsed): FinalReport['notes'] =>
  [...notes.values()].map((note) => ({ ...note, count: note.externalIds.length }))

export function rehearsedText(rehearsed: Rehearsed): string {
  const { program, kinds } = rehearsed
  const rows = Object.keys(kindWords).flatMap((kind) => {
    const found = kinds.get(kind)
    if (!found) return []
    return [[words(kind), found.source, found.created, found.updated, found.unchanged, found.leftOut]]
  })
  const into = program ? `into the program "${program.name}", ${program.id}` : 'into a new program'
  return [
    printable(`A dry run: nothing was written. An import ${into} would do this.`),
    table(['', 'source', 'new', 'updated', 'unchanged', 'left out'], rows),
    ...noteTexts(notesOf(rehearsed)),
  ].join('\n\n')
}

function noteTexts(notes: FinalReport['notes']): string[] {
  const lines = (isLeftOut: boolean) =>
    notes
      .filter((note) => note.isLeftOut === isLeftOut)
      .map(({ kind, note, count, externalIds }) => {
        const shown = externalIds.slice(0, 5).join(', ') + (count > Math.min(5, externalIds.length) ? ', …' : '')
        return printable(`  ${count} ${words(kind)}: ${note}${externalIds.length > 0 ? ` (${shown})` : ''}`)
      })
  const [left, otherwise] = [lines(true), lines(false)]
  return [
    ...(left.length > 0 ? [['Left out:', ...left].join('\n')] : []),
    ...(otherwise.length > 0 ? [['Taken over, but not as it was:', ...otherwise].join('\n')] : []),
  ]
}

/** Columns beneath each other; numbers end where their column does. */
function table(head: string[], rows: readonly (string | number)[][]): string {
  const all = [head, ...rows.map((row) => row.map((cell) => printable(String(cell))))]
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const isText = (column: number) => (column === 0 || column === head.length - 1 ? column === 0 : false)
  return all
    .map((row) =>
      row
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
