import type { AffiliateCoupon } from '../../generated/prisma/client.ts'
import { mintId } from '../../kernel/ids.ts'
import { newCoupon } from '../../resources/affiliate-coupons.ts'
import { couponKey } from '../affiliates/coupons/code.ts'
import { type Batch, findImported, recordHistory } from './batch.ts'
import type { RecordOf } from './input.ts'
import {
  type BatchPlan,
  type ImportedRecord,
  leaveOut,
  leaveOutChange,
  leaveOutUnresolved,
  noWrites,
  type RowWrites,
  recordOutcome,
} from './plan.ts'
import { type Snapshot, snapshotOf } from './snapshot.ts'
import { timestampsOf } from './timestamps.ts'

type CouponRecord = RecordOf<'affiliate_coupon'>

type Existing = {
  imported: Map<string, ImportedRecord>
  affiliates: Map<string, ImportedRecord>
  coupons: AffiliateCoupon[]
}

/** Imports coupons. The token of a coupon cannot change here, so a changed one is left out with a note. */
export async function importCoupons(batch: Batch, records: CouponRecord[]): Promise<void> {
  const writes = planCoupons(batch, await readExisting(batch, records), records)
  await batch.tx.affiliateCoupon.createMany({ data: writes.created })
  await recordHistory(batch, writes, {
    subject: 'affiliate',
    subjectId: ({ affiliateId }) => affiliateId,
    created: 'coupon_created',
  })
}

async function readExisting(batch: Batch, records: CouponRecord[]): Promise<Existing> {
  const imported = await findImported(
    batch,
    'affiliate_coupon',
    records.map(({ externalId }) => externalId),
  )
  const affiliates = await findImported(
    batch,
    'affiliate',
    records.map(({ affiliateId }) => affiliateId),
  )
  const coupons = await batch.tx.affiliateCoupon.findMany({
    where: {
      programId: batch.ctx.program.id,
      tokenKey: { in: records.map(({ token }) => couponKey(token)) },
    },
  })
  return { imported, affiliates, coupons }
}

function planCoupons(plan: BatchPlan, existing: Existing, records: CouponRecord[]): RowWrites<AffiliateCoupon> {
  const programId = plan.ctx.program.id
  const byToken = new Map(existing.coupons.map((row) => [row.tokenKey, row]))
  const writes = noWrites<AffiliateCoupon>()
  for (const record of records) {
    const { externalId, token } = record
    const imported = existing.imported.get(externalId)
    if (record.archived && !imported) {
      const problem = { message: 'The coupon is archived at the source.' }
      leaveOut(plan, 'affiliate_coupon', externalId, problem, { token })
      continue
    }
    const affiliateId = existing.affiliates.get(record.affiliateId)?.id
    if (affiliateId === undefined) {
      const missing = { field: 'affiliateId', kind: 'affiliate' } as const
      leaveOutUnresolved(plan, 'affiliate_coupon', externalId, [missing], { token })
      continue
    }
    const snapshot = snapshotOf({ affiliateId, token })
    const holder = byToken.get(couponKey(token))
    if (imported) {
      recordOutcome(plan, 'affiliate_coupon', externalId, 'unchanged', imported)
      const changes = changesAtSource(record, imported.snapshot, affiliateId)
      if (changes.length > 0) {
        const sentence = `The coupon here stays unchanged. Changes at the source: ${changes.join(', ')}.`
        leaveOutChange(plan, 'affiliate_coupon', externalId, sentence)
      }
    } else if (holder?.affiliateId === affiliateId && !writes.created.includes(holder)) {
      recordOutcome(plan, 'affiliate_coupon', externalId, 'unchanged', { id: holder.id, snapshot })
    } else if (holder) {
      const problem = { field: 'token', message: 'Token is already in use.' }
      leaveOut(plan, 'affiliate_coupon', externalId, problem, snapshot)
    } else {
      const times = timestampsOf(record, plan.now)
      const id = mintId(times.createdAt)
      const own = { programId, id, affiliateId, token, tokenKey: couponKey(token) }
      const coupon = { ...newCoupon, ...own, ...times }
      writes.created.push(coupon)
      byToken.set(coupon.tokenKey, coupon)
      recordOutcome(plan, 'affiliate_coupon', externalId, 'created', { id, snapshot })
    }
  }
  return writes
}

const changesAtSource = (record: CouponRecord, before: Snapshot, affiliateId: string): string[] => [
  ...(before.token === record.token ? [] : [`the token is ${record.token}`]),
  ...(before.affiliateId === affiliateId ? [] : ['it belongs to another affiliate']),
  ...(record.archived ? ['it is archived'] : []),
]
