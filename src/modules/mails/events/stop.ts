import { withTransaction } from '../../../database/client/transaction.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { emailKey } from '../../../kernel/email.ts'
import type { Read, Report } from './read-report.ts'

const reasons: Record<Report['kind'], string> = {
  bounced: 'A mail to the address bounced, as',
  complained: 'The person marked a mail as spam, as',
}

/**
 * Stops mail to the addresses in all programs that have sent mail to them. Mails that wait are not sent. Idempotent:
 * the first reason stays.
 * @returns how many of the addresses are known
 */
export async function stopReported(db: AppDb, { provider, reports }: Read, now: Date): Promise<number> {
  const byKey = new Map(reports.map(({ kind, email }) => [emailKey(email), kind]))
  let matched = 0
  // In one order, so that two requests about the same addresses do not wait for each other.
  for (const [key, kind] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reason = `${reasons[kind]} ${provider} reports.`
    if (await stopAddress(db, key, reason, now)) matched += 1
  }
  return matched
}

const stopAddress = (db: AppDb, key: string, reason: string, now: Date): Promise<boolean> =>
  withTransaction(db, async (tx) => {
    const programs = await tx.$queryRaw<{ programId: string }[]>`
      select p.id::text as "programId" from programs p
      where exists (select from mails m where m.program_id = p.id and m.to_key = ${key}) order by p.id`
    const data = programs.map(({ programId }) => ({ programId, emailKey: key, reason, createdAt: now }))
    await tx.mailStop.createMany({ data, skipDuplicates: true })
    for (const { programId } of programs)
      await tx.mail.updateMany({
        where: { programId, toKey: key, state: 'pending', lease: null },
        data: { state: 'stopped', error: reason, finishedAt: now },
      })
    return programs.length > 0
  })
