import type { Invoice, Prisma, Statement, TaxProfile } from '../../generated/prisma/client.ts'
import { refused } from '../../kernel/errors.ts'
import type { Line } from '../statements/lines.ts'
import { readTaxSettings } from '../tax/settings.ts'
import { currentVersion, type SelfBilling, selfBillingOf } from './agreement.ts'
import { earnedOf, type InvoiceLine } from './earned.ts'
import { buyerOf, type Party } from './parties.ts'
import { readInvoiceSettings, type Settings } from './settings.ts'
import { lackOf, type Vat, vatOf } from './vat/treatments.ts'

/** Why there is no invoice of a statement yet. */
export const missingReasons = [
  'ready',
  'no_agreement',
  'new_version',
  'no_tax_profile',
  'supplier_vat_id',
  'buyer_vat_id',
  'nothing_to_correct',
  'cancelled',
] as const
export type MissingReason = (typeof missingReasons)[number]

/** What an invoice is made from. A credit note `corrects` an invoice. */
export type Draft = {
  statement: OfStatement
  edition: number
  lines: InvoiceLine[]
  cents: bigint
  profile: TaxProfile
  agreementVersion: number
  vat: Vat
  corrects: Invoice | null
}

export type OfStatement = Pick<Statement, 'id' | 'affiliateId' | 'currency' | 'month' | 'lines'>

export type Missing = { statement: OfStatement; reason: MissingReason; draft: Draft | null }

export type Company = { buyer: Party; settings: Settings }

/**
 * The company that buys, and how it writes invoices.
 * @throws REFUSED if the program has no text of self-billing, or no address
 */
export async function readCompany(tx: Prisma.TransactionClient, programId: string): Promise<Company> {
  const buyer = buyerOf(await readTaxSettings(tx, programId))
  if (!(await currentVersion(tx, programId)))
    throw refused(
      'Affiliates have to agree to self-billing, and the program has no text for it. Publish one with publishSelfBilling first.',
    )
  return { buyer, settings: await readInvoiceSettings(tx, programId) }
}

/** For statements of closed months that earned something and have no invoice: what is missing, or the draft of it. */
export async function draftsOf(
  tx: Prisma.TransactionClient,
  programId: string,
  statements: readonly OfStatement[],
  { buyer }: Company,
): Promise<Missing[]> {
  const affiliateIds = [...new Set(statements.map(({ affiliateId }) => affiliateId))]
  const of = { programId, affiliateId: { in: affiliateIds } }
  const invoices = await tx.invoice.findMany({ where: of, orderBy: { id: 'asc' } })
  const profiles = await tx.taxProfile.findMany({ where: { ...of, replacedAt: null } })
  const profileOf = new Map(profiles.map((profile) => [profile.affiliateId, profile]))
  const agreed = await selfBillingOf(tx, programId, affiliateIds)
  const agreedOf = new Map(affiliateIds.map((id, index) => [id, agreed[index] ?? null]))
  const vatCommissions = new Set(invoices.flatMap(({ vatCommissionId }) => vatCommissionId ?? []))
  const cancelled = new Set(invoices.flatMap((one) => (one.isCancellation ? (one.correctsId ?? []) : [])))
  return statements.flatMap((statement): Missing[] => {
    const own = invoices.filter((one) => one.statementId === statement.id && !one.isCancellation)
    if (own.some(({ id }) => !cancelled.has(id))) return []
    const { lines, cents } = earnedOf(JSON.parse(statement.lines) as Line[], vatCommissions)
    if (cents === 0n) return []
    const { affiliateId, currency } = statement
    const ofCurrency = invoices.filter((one) => one.affiliateId === affiliateId && one.currency === currency)
    const corrects =
      cents < 0n ? (ofCurrency.findLast(({ id, kind }) => kind === 'invoice' && !cancelled.has(id)) ?? null) : null
    const known = { profile: profileOf.get(affiliateId), agreed: agreedOf.get(affiliateId) ?? null, corrects }
    const found = { statement, edition: own.length + 1, lines, cents }
    const drafted = withParties(found, known, buyer)
    if (typeof drafted === 'string') return [{ statement, reason: drafted, draft: null }]
    return [{ statement, reason: own.length > 0 ? 'cancelled' : 'ready', draft: drafted }]
  })
}

type Known = { profile: TaxProfile | undefined; agreed: SelfBilling | null; corrects: Invoice | null }

function withParties(
  found: Pick<Draft, 'statement' | 'edition' | 'lines' | 'cents'>,
  { profile, agreed, corrects }: Known,
  buyer: Party,
): Draft | MissingReason {
  if (!agreed?.agreed) return agreed?.agreedVersion ? 'new_version' : 'no_agreement'
  if (!profile) return 'no_tax_profile'
  if (found.cents < 0n && !corrects) return 'nothing_to_correct'
  const vat = corrects
    ? { treatment: corrects.vatTreatment, basisPoints: corrects.vatBasisPoints }
    : vatOf(profile, buyer, lastDayOf(found.statement.month))
  const lack = lackOf(vat, profile, buyer)
  if (lack) return lack
  return { ...found, profile, agreementVersion: agreed.version, vat, corrects }
}

/** The last day of a month: `2026-10-31`. */
const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
