import type { ProgramCtx } from '../../../kernel/context.ts'
import { idSpellings } from '../../../kernel/imported-ids.ts'
import { couponKey, isCouponCode } from '../../affiliates/coupons/code.ts'
import type { Buyer } from './buyer.ts'
import type { Plan } from './fold.ts'

/** Why a value leads to no affiliate, or null if it does. */
export type Verdict = 'unknown' | 'expired' | 'affiliate_not_active' | 'archived' | null

/** What the values of buyers are at a time. */
export type Signals = {
  ofReferral(value: string, at: Date): Verdict
  ofCoupon(code: string, at: Date): Verdict
  /** Whose they are, if they lead to an affiliate at all. */
  affiliateOfReferral(value: string): string | undefined
  affiliateOfCoupon(code: string): string | undefined
}

const allOf = <T>(plans: readonly Plan[], pick: (who: Buyer) => readonly T[]): T[] => [
  ...new Set(plans.flatMap(({ sales, leads }) => [...sales, ...leads].flatMap(({ who }) => pick(who)))),
]

/** Reads which of the values that buyers have are referrals and codes of the program. */
export async function readSignals({ db, program }: ProgramCtx, plans: readonly Plan[]): Promise<Signals> {
  const programId = program.id
  const values = allOf(plans, ({ referrals }) => referrals)
  const keys = allOf(plans, ({ coupons, otherCoupons }) => [...coupons, ...otherCoupons])
    .filter(isCouponCode)
    .map(couponKey)
  const affiliate = { select: { state: true, campaign: { select: { archivedAt: true } } } } as const
  const [imported, coupons] = await Promise.all([
    importedIds({ db, programId }, values),
    keys.length === 0
      ? []
      : db.affiliateCoupon.findMany({
          where: { programId, tokenKey: { in: [...new Set(keys)] } },
          select: { tokenKey: true, archivedAt: true, affiliateId: true, affiliate },
        }),
  ])
  const idOf = (value: string) => imported.get(value) ?? idSpellings(value).ownId ?? undefined
  const ids = [...new Set(values.flatMap((value) => idOf(value) ?? []))]
  const select = {
    id: true,
    expiresAt: true,
    becameConversionAt: true,
    affiliateId: true,
    affiliate: { select: { state: true } },
  } as const
  const referrals =
    ids.length === 0 ? [] : await db.referral.findMany({ where: { programId, id: { in: ids } }, select })
  const byId = new Map(referrals.map((referral) => [referral.id, referral]))
  const byKey = new Map(coupons.map((coupon) => [coupon.tokenKey, coupon]))
  const couponOf = (code: string) => (isCouponCode(code) ? byKey.get(couponKey(code)) : undefined)
  return {
    ofReferral: (value, at) => {
      const found = byId.get(idOf(value) ?? '')
      if (!found) return 'unknown'
      if (found.affiliate.state !== 'active') return 'affiliate_not_active'
      return !found.becameConversionAt && found.expiresAt <= at ? 'expired' : null
    },
    ofCoupon: (code, at) => {
      const found = couponOf(code)
      if (!found) return 'unknown'
      if (found.affiliate.state !== 'active') return 'affiliate_not_active'
      const ends = [found.archivedAt, found.affiliate.campaign.archivedAt]
      return ends.some((archivedAt) => archivedAt !== null && archivedAt <= at) ? 'archived' : null
    },
    affiliateOfReferral: (value) => byId.get(idOf(value) ?? '')?.affiliateId,
    affiliateOfCoupon: (code) => couponOf(code)?.affiliateId,
  }
}

/** The ids of referrals that values name by their ids on the server that they came from. */
async function importedIds(
  { db, programId }: Pick<ProgramCtx, 'db'> & { programId: string },
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const spelled = values.map((value) => ({ value, ...idSpellings(value) }))
  const given = spelled.flatMap(({ given, inOwnCase }) =>
    given !== null && inOwnCase !== null ? [given, inOwnCase] : [],
  )
  if (given.length === 0) return new Map()
  const where = { programId, kind: 'referral' as const, externalId: { in: [...new Set(given)] }, id: { not: null } }
  const records = await db.importedRecord.findMany({ where, select: { externalId: true, id: true } })
  const byExternalId = new Map(records.map(({ externalId, id }) => [externalId, id]))
  return new Map(
    spelled.flatMap(({ value, given, inOwnCase }) => {
      const id = byExternalId.get(given ?? '') ?? byExternalId.get(inOwnCase ?? '')
      return id ? [[value, id] as const] : []
    }),
  )
}

/** The first referral that leads to an affiliate, else the first one: its problem is the reason then. */
export const referralToReport = ({ referrals }: Buyer, signals: Signals, at: Date): string | undefined =>
  referrals.find((value) => signals.ofReferral(value, at) === null) ?? referrals[0]

/** The codes of the payment, or those that the customer used otherwise if only they lead to an affiliate. */
export function couponsToReport({ coupons, otherCoupons }: Buyer, signals: Signals, at: Date): string[] {
  const leads = (code: string) => signals.ofCoupon(code, at) === null
  return coupons.some(leads) ? coupons : otherCoupons.some(leads) ? otherCoupons : coupons
}

/** What was tried, and why each led to no affiliate. Addresses are not named: a person can be erased. */
export function whyNobody(who: Buyer, signals: Signals, at: Date): string {
  const named = (word: string, value: string, verdict: Verdict): string => {
    const it = `\`${value.slice(0, 60)}\``
    if (verdict === 'expired') return `the referral ${it} had expired`
    if (verdict === 'affiliate_not_active') return `the affiliate of the ${word} ${it} is not active`
    if (verdict === 'archived') return `the coupon ${it} is archived`
    if (verdict === 'unknown') return word === 'coupon' ? `${it} is no affiliate's coupon` : `${it} is no referral`
    return `the ${word} ${it} could not be used`
  }
  const codes = [...new Set([...who.coupons, ...who.otherCoupons])]
  const referrals = who.referrals.map((value) => named('referral', value, signals.ofReferral(value, at)))
  const coupons = codes.map((code) => named('coupon', code, signals.ofCoupon(code, at)))
  return [
    ...(referrals.length > 0 ? referrals : ['no referral']),
    ...(coupons.length > 0 ? coupons : ['no coupon']),
    who.emails.length > 0 ? 'nobody with this e-mail' : 'no e-mail',
  ].join('; ')
}
