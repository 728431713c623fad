import type { Affiliate, AffiliateCoupon, AffiliateLink } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import { emailKey } from '../../kernel/email.ts'
import { newCoupon } from '../../resources/affiliate-coupons.ts'
import { newAffiliate, nothingSold } from '../../resources/affiliates.ts'
import { tokenKey } from '../affiliates/tokens.ts'
import { minutesAfter, momentOf, startOfDay } from './calendar.ts'
import type { Offer } from './campaigns.ts'
import type { Person } from './names.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

const affiliateCount = 200
const channels = ['blog', 'newsletter', 'youtube', 'podcast', 'course']

/** An affiliate with their links and coupon. They get referrals and commissions only until `activeUntil`. */
export type Member = Offer & {
  affiliate: Affiliate
  links: AffiliateLink[]
  coupon: AffiliateCoupon | null
  activeUntil: Date
  /** A factor for the number of visits and sales; about 1 on average, and far above it for a few. */
  reach: number
}

export function addAffiliates(world: World, offers: Offer[]): Member[] {
  const joined = Array.from({ length: affiliateCount }, () => joinedAt(world)).sort((a, b) => a.getTime() - b.getTime())
  const codes = new Set<string>()
  return joined.map((at, index) => {
    const person = world.people.affiliate()
    const offer = offers[world.random.weighted(offers.map(({ habits }) => habits.share))] as Offer
    const { affiliate, activeUntil } = addAffiliate(world, offer, person, at)
    const links = addLinks(world, affiliate, person, activeUntil)
    const coupon = world.random.chance(0.5) ? addCoupon(world, affiliate, person, activeUntil, codes) : null
    return { ...offer, affiliate, links, coupon, activeUntil, reach: reachOf(index) }
  })
}

/** A third of the affiliates join in the first days, the others over the two years. */
function joinedAt({ random, period: { start, now } }: World): Date {
  const days = (now.getTime() - start.getTime()) / 86_400_000
  const after = random.chance(0.33) ? random.between(1, 10) : random.between(1, days - 2)
  return momentOf(addDays(startOfDay(start), Math.floor(after)), random)
}

/** Spread by the golden ratio instead of at random, so that every seed has the same few strong affiliates. */
const reachOf = (index: number) => Math.min(0.35 * (1 - ((index * 0.618034 + 0.3) % 1)) ** -0.72, 8)

function addAffiliate(
  { programId, random, period: { now }, rows }: World,
  { campaign }: Offer,
  person: Person,
  at: Date,
) {
  const { firstName, lastName, email, token } = person
  const walletEmail = `${token}@wallet.example`
  const state = random.pick([...Array<'active'>(22).fill('active'), 'disabled', 'disabled', 'suspicious'] as const)
  const days = (now.getTime() - at.getTime()) / 86_400_000
  const leaves = state !== 'active' && days > 30
  const activeUntil = leaves ? minutesAfter(at, random.between(25, days - 1) * 1440) : now
  const affiliate: Affiliate = {
    programId,
    id: random.id(at),
    campaignId: campaign.id,
    email,
    emailKey: emailKey(email),
    ...newAffiliate({
      firstName,
      lastName,
      paypalEmail: random.chance(0.6) ? walletEmail : null,
      wiseEmail: random.chance(0.3) ? walletEmail : null,
      state: leaves ? state : 'active',
      billingCustomerId: random.chance(0.2) ? `cus_${random.code(14)}` : null,
    }),
    confirmedAt: at,
    visitors: 0,
    leads: 0,
    conversions: 0,
    ...nothingSold,
    signInCount: 0,
    createdAt: at,
    updatedAt: leaves ? activeUntil : at,
  }
  rows.affiliates.push(affiliate)
  return { affiliate, activeUntil }
}

/** The first link is created with the affiliate. Some affiliates add links for their channels. */
function addLinks(world: World, affiliate: Affiliate, { token }: Person, activeUntil: Date): AffiliateLink[] {
  const { random } = world
  const extra = channels.filter(() => random.chance(0.09))
  const tokens = [token, ...extra.map((channel) => `${token}-${channel}`)]
  return tokens.map((name, index) => {
    const at = index === 0 ? affiliate.createdAt : momentBefore(world, affiliate.createdAt, 60, activeUntil)
    const counters = { visitors: 0, leads: 0, conversions: 0 }
    const link = {
      programId: world.programId,
      id: random.id(at),
      affiliateId: affiliate.id,
      token: name,
      tokenKey: tokenKey(name),
      archivedAt: null,
      ...counters,
      ...madeAt(at),
    }
    world.rows.affiliate_links.push(link)
    return link
  })
}

function addCoupon(
  world: World,
  affiliate: Affiliate,
  person: Person,
  activeUntil: Date,
  codes: Set<string>,
): AffiliateCoupon {
  const at = momentBefore(world, affiliate.createdAt, 14, activeUntil)
  const off = world.random.pick([10, 15, 20, 25])
  const [first = ''] = person.token.split('-')
  const proposals = [`${first}${off}`, `${person.token}${off}`].map((code) => code.toUpperCase())
  const token = proposals.find((code) => !codes.has(code)) as string
  codes.add(token)
  const coupon = {
    programId: world.programId,
    id: world.random.id(at),
    affiliateId: affiliate.id,
    token,
    tokenKey: tokenKey(token),
    ...newCoupon,
    discountBasisPoints: off * 100,
    ...madeAt(at),
  }
  world.rows.affiliate_coupons.push(coupon)
  return coupon
}

/** A random time within `days` after `from`, but before `limit`. */
function momentBefore({ random }: World, from: Date, days: number, limit: Date): Date {
  const reach = Math.min(days * 1440, (limit.getTime() - from.getTime()) / 60_000)
  return minutesAfter(from, random.unit() * reach)
}
