import type { AffiliateCoupon } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { tokenKey } from '../../kernel/link-tokens.ts'
import { recordChanges } from '../history/record.ts'
import { type Batch, leaveAsIs, leaveOut, leaveOutUnresolved, readKnown, tell } from './batch.ts'
import type { RecordOf } from './input.ts'
import { madeAndChanged } from './moments.ts'
import { storedFields } from './stored.ts'

/** Coupons with their codes. A coupon's code never changes here; one that did at the source is told. */
export async function takeCoupons(batch: Batch, records: RecordOf<'affiliate_coupon'>[]): Promise<void> {
  const { tx, ctx, now } = batch
  const programId = ctx.program.id
  const known = await readKnown(
    batch,
    'affiliate_coupon',
    records.map(({ externalId }) => externalId),
  )
  const affiliates = await readKnown(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  const holders = await tx.affiliateCoupon.findMany({
    where: {
      programId,
      OR: [
        { affiliateId: { in: [...affiliates.values()].map(({ id }) => id) } },
        { tokenKey: { in: records.map(({ token }) => tokenKey(token)) } },
      ],
    },
  })
  const byToken = new Map(holders.map((row) => [row.tokenKey, row]))
  const byAffiliate = new Map(holders.map((row) => [row.affiliateId, row]))
  const created: AffiliateCoupon[] = []
  for (const record of records) {
    const { externalId, token } = record
    // Said before anything is looked up, so that a dry run, where nothing is there yet, says it too.
    if (record.archived && !known.has(externalId)) {
      leaveOut(batch, 'affiliate_coupon', externalId, { message: 'It is archived at the source.' }, { token })
      continue
    }
    const affiliateId = affiliates.get(record.affiliateId)?.id
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate', externalId: record.affiliateId } as const
      leaveOutUnresolved(batch, 'affiliate_coupon', externalId, [missing], { token })
      continue
    }
    const seen = storedFields({ affiliateId, token })
    const before = known.get(externalId)
    const holder = byToken.get(tokenKey(token))
    if (before) {
      tell(batch, 'affiliate_coupon', externalId, 'unchanged', { id: before.id, seen: before.seen })
      const changed = [
        ...(before.seen.token === seen.token ? [] : [`its code is ${token}`]),
        ...(before.seen.affiliateId === seen.affiliateId ? [] : ['it is of another affiliate']),
        ...(record.archived ? ['it is archived'] : []),
      ]
      if (changed.length > 0)
        leaveAsIs(
          batch,
          'affiliate_coupon',
          externalId,
          `At the source ${changed.join(', ')}: here it stays as it was.`,
        )
    } else if (holder?.affiliateId === affiliateId && !created.includes(holder)) {
      tell(batch, 'affiliate_coupon', externalId, 'unchanged', { id: holder.id, seen })
    } else if (holder) {
      leaveOut(batch, 'affiliate_coupon', externalId, { field: 'token', message: 'Token is already in use.' }, seen)
    } else if (byAffiliate.has(affiliateId)) {
      const problem = { field: 'affiliateId', message: 'Affiliate already has a coupon.' }
      leaveOut(batch, 'affiliate_coupon', externalId, problem, seen)
    } else {
      const times = madeAndChanged(record, now)
      const id = mintId(times.createdAt)
      const coupon = { programId, id, affiliateId, token, tokenKey: tokenKey(token), ...times }
      created.push(coupon)
      byToken.set(coupon.tokenKey, coupon)
      byAffiliate.set(affiliateId, coupon)
      tell(batch, 'affiliate_coupon', externalId, 'created', { id, seen })
    }
  }
  await tx.affiliateCoupon.createMany({ data: created })
  const changes = created.map((after) => ({
    subject: 'affiliate' as const,
    subjectId: after.affiliateId,
    action: 'coupon_created',
    before: null,
    after,
  }))
  await recordChanges(tx, ctx, changes, now)
}
