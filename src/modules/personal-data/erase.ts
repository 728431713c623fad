import { withTransaction } from '../../database/client/transaction.ts'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { emailKey } from '../../kernel/email.ts'
import { refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { referrals } from '../../resources/referrals.ts'
import { type Field, fieldsWith } from '../../resources/resource.ts'
import { sales } from '../../resources/sales.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { storedActor } from '../history/actor.ts'
import { changedFields } from '../history/fields.ts'
import { eraseAnswers, type Mentioned } from '../idempotency/erase.ts'
import { eraseAgreements } from '../invoices/erase.ts'
import { eraseStatements } from '../statements/erase.ts'
import { eraseTaxProfiles } from '../tax/erase.ts'
import { eraseContacts } from './erase-contacts.ts'
import {
  type Copies,
  eraseCopies,
  erasedOf,
  eraseFailedRequests,
  eraseFeedEvents,
  eraseHistory,
  eraseRuns,
} from './erase-copies.ts'
import { erasedEmail } from './erased-email.ts'
import { findPerson, type Person } from './find.ts'
import { erasePersonInput } from './input.ts'
import { settleOpenMoney } from './open-money.ts'

type Tx = Prisma.TransactionClient

export type ErasedPerson = { customerId: string | null; affiliateId: string | null; unattributedSales: number }

/**
 * Replaces the personal data of a customer, an affiliate, or both, everywhere in the program: rows, history, frozen
 * states, kept answers. Amounts, counts and ids stay. An affiliate is disabled; links and coupons are archived under
 * new tokens. All or nothing.
 * @throws INVALID_INPUT; NOT_FOUND if the program does not know the address; REFUSED while an import names it, and if
 *   the affiliate has open money and the input does not say what happens to it
 */
export async function erasePerson(
  ctx: ProgramCtx & { webhooks: { key: Buffer } },
  raw: unknown,
): Promise<ErasedPerson> {
  const { email, openMoney, reason } = await parseInput(erasePersonInput, raw)
  await refuseWhileImported(ctx.db, ctx, email)
  const found = await findPerson(ctx.db, ctx, email)
  const keepsPayment = found.affiliateId
    ? await settleOpenMoney(ctx, { id: found.affiliateId }, openMoney, reason)
    : false
  return withTransaction(
    ctx.db,
    async (tx) => {
      await refuseWhileImported(tx, ctx, email)
      const { customerId, affiliateId, unattributedSaleIds } = await findPerson(tx, ctx, email)
      const mentioned = await findMentioned(tx, ctx, email, { customerId, affiliateId, unattributedSaleIds })
      if (customerId) await eraseCustomer(tx, ctx, customerId)
      if (affiliateId) await eraseAffiliate(tx, ctx, affiliateId, keepsPayment, mentioned)
      if (affiliateId && !keepsPayment) await eraseTaxProfiles(tx, ctx.program.id, affiliateId)
      if (affiliateId) await eraseAgreements(tx, ctx.program.id, affiliateId)
      if (unattributedSaleIds.length > 0) await eraseUnattributedSales(tx, ctx, unattributedSaleIds)
      await eraseContacts(tx, ctx, [email, ...mentioned.addresses], affiliateId)
      await eraseStatements(tx, ctx.program.id, affiliateId, mentioned)
      await eraseFailedRequests(tx, ctx, email)
      await eraseFeedEvents(tx, ctx, mentioned)
      await eraseAnswers(tx, { programId: ctx.program.id, key: ctx.webhooks.key }, mentioned)
      return { customerId, affiliateId, unattributedSales: unattributedSaleIds.length }
    },
    { isLong: true, log: ctx.log },
  )
}

/** An import that is not finished would create the person again. */
async function refuseWhileImported(tx: Db, { program }: ProgramCtx, email: string): Promise<void> {
  const running = await tx.$queryRaw<object[]>`
    select 1 from accepted_imports where program_id = ${program.id}::uuid
      and (position(lower(${email}) in lower(input ->> 'csv')) > 0 or position(${emailKey(email)} in lower(input ->> 'csv')) > 0)`
  if (running.length > 0)
    throw refused('An import of affiliates that names this person is not finished. Erase the person again in a minute.')
}

/** The addresses and names of a person, before they are erased. */
async function findMentioned(tx: Tx, { program }: ProgramCtx, email: string, found: Person): Promise<Mentioned> {
  const programId = program.id
  const { customerId, affiliateId, unattributedSaleIds } = found
  const rowOf = (id: string) => ({ where: { programId_id: { programId, id } } })
  const customer = customerId && (await tx.customer.findUnique(rowOf(customerId)))
  const affiliate = affiliateId && (await tx.affiliate.findUnique(rowOf(affiliateId)))
  const named = { select: { customerName: true }, distinct: 'customerName' } as const
  const sales = customerId ? await tx.sale.findMany({ where: { programId, customerId }, ...named }) : []
  const unattributed = await tx.unattributedSale.findMany({
    where: { programId, id: { in: unattributedSaleIds } },
    ...named,
  })
  const addresses = [email, ...(customer ? [customer.email] : [])]
  const names = [...(customer ? [customer.name] : []), ...[...sales, ...unattributed].map((sale) => sale.customerName)]
  if (affiliate) {
    addresses.push(...personalOf(affiliate, 'address').filter((address) => address !== null))
    names.push(...personalOf(affiliate, 'name'), `${affiliate.firstName} ${affiliate.lastName}`)
  }
  return { addresses, names: names.filter((name) => name !== null && name !== '') as string[] }
}

const personalOf = (affiliate: Affiliate, kind: Field['personal']): (string | null)[] =>
  fieldsWith(affiliates.fields, 'personal')
    .filter(([, { personal }]) => personal === kind)
    .map(([name]) => affiliate[name as keyof Affiliate] as string | null)

async function eraseCustomer(tx: Tx, ctx: ProgramCtx, id: string): Promise<void> {
  const { program } = ctx
  const now = ctx.now()
  const email = erasedEmail(id)
  const erased = { email, emailKey: email, name: null }
  const where = { programId: program.id, customerId: id }
  await tx.$queryRaw`select 1 from customers where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  await tx.customer.update({
    where: { programId_id: { programId: program.id, id } },
    data: { ...erased, updatedAt: now },
  })
  const billed = { ...where, billingCustomerId: { not: null } }
  await tx.referral.updateMany({ where: billed, data: { ...erasedOf(referrals), updatedAt: now } })
  const named = { ...where, customerName: { not: null } }
  await tx.sale.updateMany({ where: named, data: { ...erasedOf(sales), updatedAt: now } })
  // An address can hold a name in its query.
  await tx.visit.updateMany({
    where: { programId: program.id, referral: { customerId: id } },
    data: { url: null, referrer: null },
  })
  const copies: Copies = {
    subjects: `select id from referrals where program_id = $1::uuid and customer_id = $2::uuid
      union all select id from sales where program_id = $1::uuid and customer_id = $2::uuid
      union all select c.id from commissions c join sales s on s.program_id = c.program_id and s.id = c.sale_id
        where s.program_id = $1::uuid and s.customer_id = $2::uuid`,
    replaced: { customer: erased, referral: erasedOf(referrals), sale: erasedOf(sales) },
  }
  await eraseCopies(tx, ctx, id, copies)
  await recordErasure(tx, ctx, 'customer', id, {}, now)
}

/** @param keepsPayment whether the name and the payment details stay, until the open money is paid */
async function eraseAffiliate(
  tx: Tx,
  ctx: ProgramCtx,
  id: string,
  keepsPayment: boolean,
  mentioned: Mentioned,
): Promise<void> {
  const { program } = ctx
  const now = ctx.now()
  const email = erasedEmail(id)
  await tx.$queryRaw`select 1 from affiliates where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  const where = { programId_id: { programId: program.id, id } }
  const erased = { ...erasedOf(affiliates), email, emailKey: email }
  // The name and the payment details stay in the row until the open money is paid, but in no copy of it.
  const inRow = keepsPayment ? { billingCustomerId: null, ownFields: {}, email, emailKey: email } : erased
  const before = await tx.affiliate.update({ where, data: { ...inRow, updatedAt: now } })
  const after = await tx.affiliate.update({ where, data: { state: 'disabled' } })
  for (const table of ['affiliateLink', 'affiliateCoupon'] as const)
    await eraseTokens(tx[table] as Tokens, ctx, id, now)
  await eraseHistory(tx, ctx, id, email)
  if (!keepsPayment) await eraseRuns(tx, ctx, id, mentioned)
  // Recorded before its copies are erased: the state of this event has what the row keeps.
  await recordEvents(tx, ctx, eventsOf(id, ['affiliate.updated']), now)
  const copies: Copies = {
    subjects: `select subject_id from events where program_id = $1::uuid and affiliate_id = $2::uuid`,
    replaced: { affiliate: erased, link: erasedToken, links: erasedToken, coupon: erasedToken, coupons: erasedToken },
  }
  await eraseCopies(tx, ctx, id, copies)
  await recordErasure(tx, ctx, 'affiliate', id, changedFields('affiliate', before, after), now)
}

/** Tokens of former states. They have no meaning any more. */
const erasedToken = { token: 'erased', tokenKey: 'erased' }

type Tokens = Pick<Tx['affiliateLink'], 'findMany' | 'update'>

/** A token is often a name, and it is public: it gets another one, and is archived. */
async function eraseTokens(table: Tokens, { program }: ProgramCtx, affiliateId: string, now: Date): Promise<void> {
  const programId = program.id
  for (const { id, archivedAt } of await table.findMany({ where: { programId, affiliateId } })) {
    const token = `erased-${id}`
    const data = { token, tokenKey: token, archivedAt: archivedAt ?? now, updatedAt: now }
    await table.update({ where: { programId_id: { programId, id } }, data })
  }
}

const eraseUnattributedSales = async (tx: Tx, ctx: ProgramCtx, ids: string[]): Promise<void> => {
  const unattributed_sale = { email: null, customerName: null, billingCustomerId: null }
  const data = { ...unattributed_sale, updatedAt: ctx.now() }
  await tx.unattributedSale.updateMany({ where: { programId: ctx.program.id, id: { in: ids } }, data })
  for (const id of ids) await eraseCopies(tx, ctx, id, { replaced: { unattributed_sale } })
}

/** The entry of the history, without the erased values. */
async function recordErasure(
  tx: Tx,
  { program, actor, requestId }: ProgramCtx,
  subject: 'affiliate' | 'customer',
  subjectId: string,
  fields: object,
  at: Date,
): Promise<void> {
  const row = { programId: program.id, id: mintId(at), subject, subjectId, action: 'erased', fields, at }
  await tx.change.create({ data: { ...row, ...storedActor(actor), requestId } })
}
