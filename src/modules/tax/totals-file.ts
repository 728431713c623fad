import { stringify } from 'csv-stringify/sync'
import { withTransaction } from '../../database/client/transaction.ts'
import type { TaxProfile } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { toMajorUnits } from '../../kernel/money/decimals.ts'
import { recordAction } from '../history/record.ts'
import { decryptTaxId, type KeyCtx, masked } from './tax-ids.ts'
import { readTaxTotals, type TaxTotal } from './totals.ts'

export type TotalsFile = { csv: string; fileName: string }

type Recipient = { id: string; email: string }
type Line = { total: TaxTotal; recipient: Recipient | undefined; profile: TaxProfile | undefined; taxId: string | null }

const columns: Record<string, (line: Line, year: number) => string> = {
  year: (_line, year) => String(year),
  affiliate_id: ({ total }) => total.affiliateId,
  email: ({ recipient }) => recipient?.email ?? '',
  legal_name: ({ profile }) => profile?.legalName ?? '',
  recipient_type: ({ profile }) => profile?.recipientType ?? '',
  street: ({ profile }) => profile?.street ?? '',
  postal_code: ({ profile }) => profile?.postalCode ?? '',
  city: ({ profile }) => profile?.city ?? '',
  region: ({ profile }) => profile?.region ?? '',
  country: ({ profile }) => profile?.country ?? '',
  vat_id: ({ profile }) => profile?.vatId ?? '',
  tax_id: ({ taxId }) => taxId ?? '',
  form: ({ profile }) => profile?.form ?? '',
  currency: ({ total }) => total.currency,
  paid_by_program: ({ total }) => toMajorUnits(total.paidCents, total.currency),
  reported_by_service: ({ total }) => toMajorUnits(total.reportedByServiceCents, total.currency),
  withheld_by_program: ({ total }) => toMajorUnits(total.withheldCents, total.currency),
  withheld_beside_service: ({ total }) => toMajorUnits(total.withheldBesideServiceCents, total.currency),
  payments: ({ total }) => String(total.payments),
  reporting: ({ total }) => total.reporting ?? '',
}

/** Totals of a year as CSV, with masked tax ids. */
export const taxTotalsFile = (ctx: ProgramCtx, year: number, totals: readonly TaxTotal[]): Promise<TotalsFile> =>
  writeFile(ctx, year, totals, (profile) => masked(profile.taxIdEnding))

/**
 * The totals of a year as CSV, with full tax ids. Each of them is a reading, which is in the history of its affiliate.
 * @throws REFUSED if one was encrypted with another key
 */
export async function taxTotalsWithIds(ctx: KeyCtx, year: number, reason: string): Promise<TotalsFile> {
  const read: string[] = []
  const file = await writeFile(ctx, year, await readTaxTotals(ctx, year), (profile) => {
    if (profile.taxId) read.push(profile.affiliateId)
    return decryptTaxId(ctx.webhooks.key, profile, 'taxId')
  })
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    for (const subjectId of new Set(read)) {
      const subject = { subject: 'affiliate', subjectId, action: 'tax_id_read' } as const
      await recordAction(tx, ctx, subject, null, { taxIdReason: reason }, now)
    }
  })
  return file
}

async function writeFile(
  ctx: ProgramCtx,
  year: number,
  totals: readonly TaxTotal[],
  taxIdOf: (profile: TaxProfile) => string | null,
): Promise<TotalsFile> {
  const { db, program } = ctx
  const ids = [...new Set(totals.map(({ affiliateId }) => affiliateId))]
  const recipients = await db.affiliate.findMany({
    where: { programId: program.id, id: { in: ids } },
    select: { id: true, email: true },
  })
  const profiles = await db.taxProfile.findMany({
    where: { programId: program.id, affiliateId: { in: ids }, replacedAt: null },
  })
  const recipientOf = new Map(recipients.map((recipient) => [recipient.id, recipient]))
  const profileOf = new Map(profiles.map((profile) => [profile.affiliateId, profile]))
  const rows = totals.map((total) => {
    const profile = profileOf.get(total.affiliateId)
    const line: Line = {
      total,
      recipient: recipientOf.get(total.affiliateId),
      profile,
      taxId: profile ? taxIdOf(profile) : null,
    }
    return Object.values(columns).map((cell) => cell(line, year))
  })
  return {
    csv: stringify([Object.keys(columns), ...rows], { record_delimiter: '\r\n', escape_formulas: true }),
    fileName: `tax-totals-${year}.csv`,
  }
}
