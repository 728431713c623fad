import { groupBy } from '../../kernel/group-by.ts'
import { addAffiliates } from './affiliates.ts'
import { demoMonths, periodUntil } from './calendar.ts'
import { addCampaigns, addProgram } from './campaigns.ts'
import { voidSuspicious } from './commissions.ts'
import { createPeople } from './names.ts'
import { addPayments } from './payments.ts'
import { addPayouts } from './payouts.ts'
import { createRandom } from './random.ts'
import { addReferrals } from './referrals.ts'
import { noRows, type Rows } from './rows.ts'
import { addWaiting } from './waiting.ts'
import type { World } from './world.ts'

/** The rows of a program that has run for some months, by the service's rules. Deterministic, including ids. */
export function buildDemo({ now, seed, months = demoMonths }: { now: Date; seed: number; months?: number }): Rows {
  const random = createRandom(seed)
  const period = periodUntil(now, months)
  const rows = noRows()
  const world: World = { programId: random.id(period.start), period, random, people: createPeople(random), rows }
  addProgram(world)
  const members = addAffiliates(world, addCampaigns(world))
  for (const member of members) addReferrals(world, member)
  const commissions = groupBy(rows.commissions, ({ affiliateId }) => affiliateId)
  const commissionsOf = ({ affiliate }: { affiliate: { id: string } }) => commissions.get(affiliate.id) ?? []
  for (const member of members) voidSuspicious(world, member, commissionsOf(member))
  addPayouts(world, members, commissionsOf)
  addWaiting(world, members)
  addPayments(world)
  countReferrals(rows)
  return rows
}

function countReferrals({ referrals, affiliates, affiliate_links: links, affiliate_coupons: coupons }: Rows): void {
  const owners = new Map([...affiliates, ...links, ...coupons].map((owner) => [owner.id, owner]))
  for (const { affiliateId, linkId, couponId, becameLeadAt, becameConversionAt } of referrals) {
    for (const id of [affiliateId, linkId, couponId]) {
      const owner = id === null ? undefined : owners.get(id)
      if (!owner) continue
      owner.visitors += 1
      owner.leads += becameLeadAt ? 1 : 0
      owner.conversions += becameConversionAt ? 1 : 0
    }
  }
}
