import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { mailTexts } from '../../texts/texts.ts'
import { mailLanguage, mailLocale } from './compose.ts'
import type { ManagerMail } from './managers.ts'
import { queueMails } from './queue.ts'
import { writtenDate } from './template-values.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'

type Version = {
  number: number
  holdsFrom: Date
  requiredFrom: Date | null
  createdAt: Date
  /** Whether it was announced before, so that this is the reminder. */
  isReminder: boolean
}

/** Affiliates are reminded so long before they have to have accepted new terms. */
const reminderMs = 7 * 86_400_000
const batchSize = 500

/** A version of the program `p` that is to be announced, or of which affiliates are to be reminded. */
const toAnnounce = (now: Date): Prisma.Sql => Prisma.sql`
  terms_versions v where v.program_id = p.id and (v.announced_at is null or v.reminded_at is null
    and v.required_from > ${now}::timestamptz and v.required_from <= ${new Date(now.getTime() + reminderMs)}::timestamptz)`

export const hasTermsToAnnounce = (now: Date): Prisma.Sql => Prisma.sql`exists (select from ${toAnnounce(now)})`

/** How many affiliates get a mail about a new version of the terms. */
export async function countTermsMails(
  tx: Prisma.TransactionClient,
  { program: { id: programId, isShadow } }: Pick<ProgramCtx, 'program'>,
): Promise<number> {
  if (isShadow || (await tx.mailKindOff.count({ where: { programId, kind: 'terms_changed' } })) > 0) return 0
  const refused = { mailChoices: { is: { getsTermsMails: false } } }
  return tx.affiliate.count({ where: { programId, state: 'active', NOT: refused } })
}

/**
 * Mails new terms to the affiliates who have not accepted them: once when they are published, and again before they
 * have to be accepted. A batch is a transaction, and an affiliate who has a mail is left out, so each gets it once.
 */
export async function writeTermsMails(db: AppDb, scope: ManagerMail & { now: Date }): Promise<void> {
  while (await writeBatch(db, scope));
}

/** @returns whether more may follow */
const writeBatch = (db: AppDb, scope: ManagerMail & { now: Date }): Promise<boolean> =>
  withTransaction(db, async (tx) => {
    const { program, now } = scope
    const programId = program.id
    const [version] = await tx.$queryRaw<Version[]>`
      select v.number, v.holds_from as "holdsFrom", v.required_from as "requiredFrom", v.created_at as "createdAt",
        v.announced_at is not null as "isReminder"
      from programs p, lateral (
        select * from ${toAnnounce(now)} order by number desc limit 1 for update skip locked) v
      where p.id = ${programId}::uuid`
    if (!version) return false
    const affiliates = await readAffiliates(tx, programId, version)
    const mails = affiliates.map((row) => mailOf(scope, version, row))
    const ids = await queueMails(tx, { program }, mails, now)
    // A shadow, and a program that has turned the kind off, write no mails.
    if (affiliates.length === batchSize && ids.length > 0) return true
    // Only the newest version is announced.
    const where = { programId, number: { lte: version.number } }
    await tx.termsVersion.updateMany({ where: { ...where, announcedAt: null }, data: { announcedAt: now } })
    if (version.isReminder) await tx.termsVersion.updateMany({ where, data: { remindedAt: now } })
    return true
  })

function readAffiliates(tx: Prisma.TransactionClient, programId: string, version: Version): Promise<Addressee[]> {
  const { number, createdAt, requiredFrom, isReminder } = version
  const since = isReminder && requiredFrom ? new Date(requiredFrom.getTime() - reminderMs) : createdAt
  return tx.$queryRaw`
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language from affiliates a
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where a.program_id = ${programId}::uuid and a.state = 'active' and coalesce(m.gets_terms_mails, true)
      and not exists (select from terms_acceptances t
        where t.program_id = a.program_id and t.affiliate_id = a.id and t.version = ${number})
      and not exists (select from applications t
        where t.program_id = a.program_id and t.affiliate_id = a.id and t.terms_version = ${number})
      and not exists (select from mails t where t.program_id = a.program_id and t.affiliate_id = a.id
        and t.kind = 'terms_changed' and t.created_at >= ${since}::timestamptz)
    order by a.id limit ${batchSize}`
}

function mailOf(scope: ManagerMail, { holdsFrom, requiredFrom }: Version, row: Addressee) {
  const { program } = scope
  const language = mailLanguage(program, row.language)
  const written = (date: Date) => writtenDate(date, program, mailLocale(program, language))
  const required = requiredFrom ? mailTexts[language].termsRequired(written(requiredFrom)) : ''
  return mailToAffiliate(scope, 'terms_changed', row, { from: written(holdsFrom), required })
}
