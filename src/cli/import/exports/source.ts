import { createHash } from 'node:crypto'
import { OperatorError } from '../../../database/operator-error.ts'
import type { Source } from '../source.ts'
import type { Wire } from '../wire.ts'
import { type AmountUnit, plainAmount } from './cell-values.ts'
import type { ExportList } from './columns.ts'
import { type Line, readExport } from './file.ts'
import {
  affiliateOf,
  type Commission,
  commissionOf,
  couponOf,
  idsByName,
  payoutOf,
  referralOf,
  type Settings,
} from './rows.ts'

export type Service = 'tolt' | 'firstpromoter'

export type ExportOptions = {
  service: Service
  /** The paths of the files. */
  files: Partial<Record<ExportList, string>>
  program: { id: string; url: string; currency: string }
  /** What the campaign pays for later sales, in percent. */
  commissionPercent: number
  unit?: AmountUnit | undefined
  notify(sentence: string): void
}

const names = { tolt: 'Tolt', firstpromoter: 'FirstPromoter' } as const
const pageSize = 100
const mostProblems = 20

/**
 * The exports of another service as a source of an import. All files are read and checked first, so a mistake stops
 * the import before it begins.
 * @throws OperatorError with the lines that cannot be used
 */
export async function createExportSource(options: ExportOptions): Promise<Source> {
  const { service, program } = options
  const lists = await readLists(options)
  return {
    address: `https://${service}.com/exports`,
    keyHash: createHash('sha256').update(`${service} ${program.id}`).digest('hex').slice(0, 32),
    async readPage(list, page) {
      const rows = lists[list]
      if (!rows) return null
      return { rows: rows.slice((page - 1) * pageSize, page * pageSize), totalCount: rows.length }
    },
  }
}

async function readLists({
  service,
  files,
  program,
  commissionPercent,
  unit,
  notify,
}: ExportOptions): Promise<Record<string, Wire[]>> {
  const problems: string[] = []
  const read = async (list: ExportList): Promise<Line[]> => {
    const path = files[list]
    return path === undefined ? [] : readExport(list, path)
  }
  const lines = {
    affiliates: await read('affiliates'),
    referrals: await read('referrals'),
    commissions: await read('commissions'),
    payouts: await read('payouts'),
  }
  const amounts = [...lines.commissions, ...lines.payouts]
  const settings: Settings = {
    currency: program.currency,
    unit: unit ?? unitOf(amounts),
    campaignId: `${service}-campaign`,
    report: (problem) => problems.push(problem),
  }
  const affiliates = lines.affiliates.map((line) => ({ line, ...affiliateOf(line, settings) }))
  const known = idsByName(affiliates)
  const referrals = lines.referrals.map((line) => referralOf(line, known, settings))
  const isCash = (line: Line) => /^cash$/i.test(line.get('unit') ?? 'cash')
  for (const line of lines.commissions)
    if (!isCash(line)) notify(`${line.place}: left out, because its unit is ${line.get('unit')}`)
  const referred = { affiliates: known, referrals: idsByName(referrals) }
  const commissions = numbered(lines.commissions.filter(isCash).map((line) => commissionOf(line, referred, settings)))
  const payouts = lines.payouts.map((line) => payoutOf(line, known, settings))
  if (problems.length > 0) throw new OperatorError(textOf(problems))
  const newestFirst = <Row extends Wire>(rows: readonly Row[]) =>
    rows.toSorted((a, b) => String(b.created_at ?? '').localeCompare(String(a.created_at ?? '')))
  return {
    campaigns: [
      {
        id: settings.campaignId,
        name: names[service],
        url: program.url,
        default: false,
        reward_type: 'percent',
        commission_percent: commissionPercent,
      },
    ],
    affiliates: newestFirst(affiliates.map(({ wire }) => wire)),
    affiliate_coupons: affiliates.flatMap(({ line, id }) => couponOf(line, id)),
    referrals: newestFirst(withConversions(referrals, commissions)),
    payouts: newestFirst(withCommissions(payouts, commissions)),
    commissions: newestFirst(commissions.map(({ wire }) => wire)),
  }
}

/** Amounts with decimals are units. Those without can be both. */
function unitOf(lines: readonly Line[]): AmountUnit {
  const amounts = lines.flatMap((line) => ['amount', 'sale'].flatMap((field) => line.get(field) ?? []))
  if (amounts.length === 0 || amounts.some((amount) => plainAmount(amount)?.includes('.'))) return 'units'
  throw new OperatorError(
    `No amount in the files has decimals, so "${amounts[0]}" can be units or cents. Say --amounts units or --amounts cents.`,
  )
}

const textOf = (problems: readonly string[]): string => {
  const more = problems.length - mostProblems
  return [
    'Nothing was imported. Correct these lines, or remove them:',
    ...problems.slice(0, mostProblems),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}

/** Equal lines of a file without ids get numbers, so each is one commission, also in the next import. */
function numbered(commissions: readonly Commission[]): Commission[] {
  const counts = new Map<string, number>()
  return commissions.map((one) => {
    const count = (counts.get(one.wire.id) ?? 0) + 1
    counts.set(one.wire.id, count)
    return count === 1 ? one : { ...one, wire: { ...one.wire, id: `${one.wire.id} (${count})` } }
  })
}

/** A referral with a sale is a conversion, since its first sale. */
function withConversions(referrals: readonly { id: string; wire: Wire }[], commissions: readonly Commission[]): Wire[] {
  const first = new Map<string, string>()
  for (const { referralId, wire } of commissions) {
    const at = wire.created_at ?? ''
    if (referralId !== undefined && at < (first.get(referralId) ?? '9')) first.set(referralId, at)
  }
  return referrals.map(({ id, wire }) => {
    const at = wire.became_conversion_at ?? first.get(id)
    return at === undefined ? wire : { ...wire, conversion_state: 'conversion', became_conversion_at: at }
  })
}

type Payout = ReturnType<typeof payoutOf>

/**
 * Says which commissions a payout has. If the file does not say it, a paid commission is of the first payment to the
 * affiliate since it was earned.
 */
function withCommissions(payouts: readonly Payout[], commissions: readonly Commission[]): Wire[] {
  const ids = new Map<string, string[]>()
  const add = (payoutId: string, id: string) => ids.set(payoutId, [...(ids.get(payoutId) ?? []), id])
  const byId = new Map(payouts.toReversed().map((payout) => [payout.id, payout]))
  const paid = payouts
    .filter(({ state }) => state === 'paid')
    .toSorted((a, b) => (a.paid_at ?? '').localeCompare(b.paid_at ?? ''))
  for (const { wire, payoutId } of commissions) {
    if (wire.state !== 'paid') continue
    const { affiliate_id: affiliateId, currency, created_at: createdAt = '' } = wire
    const payout = payoutId
      ? byId.get(payoutId)
      : paid.find(
          (one) => one.affiliate_id === affiliateId && one.currency === currency && (one.paid_at ?? '') >= createdAt,
        )
    if (!payout) continue
    add(payout.id, wire.id)
    wire.paid_at = payout.paid_at ?? wire.paid_at
  }
  return payouts.map((payout) => ({ ...payout, commissions: (ids.get(payout.id) ?? []).map((id) => ({ id })) }))
}
