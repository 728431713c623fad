import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createLead, createSeller, unknownId } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

/** Three affiliates: of the referral, of the coupon, and of the lead with the e-mail. */
const [visited, couponed, led] = [await createSeller(program), await createSeller(program), await createSeller(program)]
const visit = await createLead(program, visited.link.token)
const lead = await createLead(program, led.link.token)

/** The ids that the referral had on the server it was imported from: of any form, and in the form of ours. */
const importedIds = ['ref-1', '01980f3e-8c00-7000-8000-0000000000aa']
for (const externalId of importedIds)
  await app.database.db.importedRecord.create({
    data: { programId: program.id, kind: 'referral', externalId, id: visit.id, seen: {}, seenAt: app.clock.now },
  })

type Fields = { referral_id?: string; coupon?: string; email?: string }
const orNone = <T>(fields: T[]) => [{}, ...fields]
const reports: Fields[] = orNone([
  ...[visit.id, ...importedIds, unknownId].map((referral_id) => ({ referral_id })),
]).flatMap((referral) =>
  orNone([{ coupon: couponed.coupon }, { coupon: 'UNKNOWN' }]).flatMap((coupon) =>
    orNone([{ email: lead.email }, { email: 'nobody@example.com' }]).map((email) => ({
      ...referral,
      ...coupon,
      ...email,
    })),
  ),
)

/** Whose sale it is, by the first signal that is known. */
function sellerOf({ referral_id, coupon, email }: Fields): string | null {
  if (referral_id && referral_id !== unknownId) return visited.affiliate.id
  if (coupon === couponed.coupon) return couponed.affiliate.id
  return email === lead.email ? led.affiliate.id : null
}

it('finds the affiliate of a sale by every combination of known and unknown signals', async () => {
  const given = reports.filter((fields) => Object.keys(fields).length > 0)
  expect(given).toHaveLength(44)
  for (const fields of given) {
    // A dry run, so that no sale makes anybody a customer of another affiliate.
    const { status, body } = await program.post('/conversions?dry_run=true', { amount_cents: 10_000, ...fields })
    const affiliateId = status === 422 ? null : body.commission.affiliate_id
    expect({ fields, affiliateId }).toEqual({ fields, affiliateId: sellerOf(fields) })
  }
})
