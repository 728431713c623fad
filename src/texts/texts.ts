import { type Language, languages } from '../kernel/languages.ts'
import type { InvoiceTexts } from './en/invoice.ts'
import type { JoinTexts } from './en/join.ts'
import type { MailPageTexts } from './en/mail-pages.ts'
import type { MailTexts } from './en/mails.ts'
import type { RewardNewsTexts, RewardTexts } from './en/reward.ts'
import type { StatementTexts } from './en/statement.ts'
import type { WhyTexts } from './en/why.ts'

/** What a file of each language exports. `src/kernel/languages.ts` lists the languages. */
async function ofAllLanguages<T>(load: (language: Language) => Promise<T>): Promise<Readonly<Record<Language, T>>> {
  const texts = await Promise.all(languages.map(async (language) => [language, await load(language)] as const))
  return Object.fromEntries(texts) as Record<Language, T>
}

const [mailTexts, joinTexts, mailPageTexts, whyTexts, rewardTexts, rewardNewsTexts, statementTexts, invoiceTexts] =
  await Promise.all([
    ofAllLanguages<MailTexts>(async (language) => (await import(`./${language}/mails.ts`)).mails),
    ofAllLanguages<JoinTexts>(async (language) => (await import(`./${language}/join.ts`)).join),
    ofAllLanguages<MailPageTexts>(async (language) => (await import(`./${language}/mail-pages.ts`)).mailPages),
    ofAllLanguages<WhyTexts>(async (language) => (await import(`./${language}/why.ts`)).why),
    ofAllLanguages<RewardTexts>(async (language) => (await import(`./${language}/reward.ts`)).reward),
    ofAllLanguages<RewardNewsTexts>(async (language) => (await import(`./${language}/reward.ts`)).rewardNews),
    ofAllLanguages<StatementTexts>(async (language) => (await import(`./${language}/statement.ts`)).statement),
    ofAllLanguages<InvoiceTexts>(async (language) => (await import(`./${language}/invoice.ts`)).invoice),
  ])

export { invoiceTexts, joinTexts, mailPageTexts, mailTexts, rewardNewsTexts, rewardTexts, statementTexts, whyTexts }
