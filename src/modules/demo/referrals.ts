import type { Customer, Referral } from '../../generated/prisma/client.ts'
import { addDays } from '../../kernel/dates.ts'
import { emailKey } from '../../kernel/email.ts'
import type { Member } from './affiliates.ts'
import { busyness, daysBetween, minutesAfter, momentOf } from './calendar.ts'
import { madeAt } from './rows.ts'
import { addSales } from './sales.ts'
import type { World } from './world.ts'

/** Adds an affiliate's referrals day by day: visits, leads, first sales and later sales. */
export function addReferrals(world: World, member: Member): void {
  const { random, period } = world
  const { affiliate, activeUntil, habits, coupon } = member
  for (const day of daysBetween(affiliate.createdAt, activeUntil)) {
    const busy = busyness(day, period) * member.reach
    for (let visits = random.poisson(habits.visitsPerDay * busy); visits > 0; visits -= 1) {
      const at = momentOf(day, random)
      if (at > affiliate.createdAt && at < activeUntil) addVisit(world, member, at)
    }
    if (!coupon) continue
    for (let sales = random.poisson(habits.couponSalesPerDay * busy); sales > 0; sales -= 1) {
      const at = momentOf(day, random)
      if (at > coupon.createdAt && at < activeUntil) addCouponReferral(world, member, coupon.id, at)
    }
  }
}

function addVisit(world: World, member: Member, at: Date): void {
  const { random } = world
  const link = random.pick(member.links.filter((candidate) => candidate.createdAt <= at))
  const referral = addReferral(world, member, { linkId: link.id }, at)
  // A lead and a first sale must come before the referral expires, and while the affiliate is active.
  const inTime = (moment: Date) => moment < referral.expiresAt && moment < member.activeUntil
  if (!random.chance(member.habits.leadRate)) return
  const interestedAt = minutesAfter(at, random.chance(0.7) ? random.between(2, 180) : random.between(1, 20) * 1440)
  const boughtAt = minutesAfter(interestedAt, random.chance(0.4) ? random.between(3, 90) : random.between(1, 35) * 1440)
  const buysUnknown = random.chance(0.06)
  if (!inTime(interestedAt)) return
  const customer = buysUnknown ? null : addLead(world, referral, interestedAt)
  if (!random.chance(member.habits.conversionRate) || !inTime(minutesAfter(boughtAt, 1))) return
  addSales(world, member, referral, {
    customer,
    at: boughtAt,
    by: customer && random.chance(0.3) ? 'email' : 'referral_id',
  })
}

/** A coupon needs no visit: the first sale creates the referral. */
function addCouponReferral(world: World, member: Member, couponId: string, at: Date): void {
  const customer = addCustomer(world, at)
  const referral = addReferral(world, member, { couponId, customerId: customer.id }, at)
  addSales(world, member, referral, { customer, at, by: 'coupon' })
}

function addReferral(
  { programId, random, rows }: World,
  { affiliate, campaign }: Member,
  via: Partial<Referral>,
  at: Date,
): Referral {
  const referral: Referral = {
    programId,
    id: random.id(at),
    affiliateId: affiliate.id,
    campaignId: campaign.id,
    linkId: null,
    couponId: null,
    customerId: null,
    billingCustomerId: null,
    becameLeadAt: null,
    becameConversionAt: null,
    expiresAt: addDays(at, campaign.daysBeforeReferralsExpire),
    sub: null,
    agentProvider: null,
    endedAt: null,
    isCounted: true,
    ...via,
    ...madeAt(at),
  }
  rows.referrals.push(referral)
  return referral
}

function addLead(world: World, referral: Referral, at: Date): Customer {
  const { random } = world
  const customer = addCustomer(world, at)
  referral.becameLeadAt = at
  referral.customerId = customer.id
  referral.billingCustomerId = random.chance(0.5) ? `cus_${random.code(14)}` : null
  referral.updatedAt = at
  return customer
}

function addCustomer({ programId, random, people, rows }: World, at: Date): Customer {
  const { firstName, lastName, email } = people.customer()
  const customer = {
    programId,
    id: random.id(at),
    email,
    emailKey: emailKey(email),
    name: `${firstName} ${lastName}`,
    ...madeAt(at),
  }
  rows.customers.push(customer)
  return customer
}
