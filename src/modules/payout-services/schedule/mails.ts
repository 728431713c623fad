import type { PayoutRun, Prisma, ScheduledRun } from '../../../generated/prisma/client.ts'
import { writtenAmount } from '../../../kernel/money/written-amount.ts'
import { mailTexts } from '../../../texts/texts.ts'
import { composeMail, mailLanguage, mailLocale } from '../../mails/compose.ts'
import { type ManagerMail, readManagers } from '../../mails/managers.ts'
import { queueMails } from '../../mails/queue.ts'
import { oneLine } from '../../mails/template.ts'
import { serviceOf } from '../../mails/template-values.ts'

/** Tells owners and managers what became of the runs of a day. @param day `2026-03-01` */
export async function queueMailsOfDay(
  tx: Prisma.TransactionClient,
  scope: ManagerMail,
  day: string,
  rows: readonly (ScheduledRun & { run: PayoutRun | null })[],
  now: Date,
): Promise<void> {
  const { program, publicUrl } = scope
  const language = mailLanguage(program)
  const locale = mailLocale(program, language)
  const words = mailTexts[language].scheduledRun
  const list = rows.map(({ method, currency, state, reason, run }) => {
    const sum = run ? writtenAmount(run.amountCents, currency, locale) : ''
    const what = `${serviceOf(method) ?? method.toUpperCase()}, ${currency.toUpperCase()}: ${words[state](sum)}`
    return oneLine(reason === null ? what : `${what}. ${reason}`)
  })
  const values = {
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day)),
    list: list.join('\n'),
    link: `${publicUrl}/dashboard/${program.slug}/payouts/runs`,
  }
  const managers = await readManagers(tx, scope, 'payout_runs_made')
  const mails = managers.map(({ name, ...to }) => composeMail(program, 'payout_runs_made', to, { ...values, name }))
  await queueMails(tx, { program }, mails, now)
}
