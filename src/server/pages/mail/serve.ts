import { isForeignKeyViolation, isProgramClosed } from '../../../database/client/errors.ts'
import { type Answer, emptyAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { defaultLanguage, type Language, languageOf } from '../../../kernel/languages.ts'
import type { PublicUrl } from '../../../kernel/public-url.ts'
import {
  type Addressee,
  type Choices,
  checkboxes,
  choosePreferences,
  readMailChoices,
  readPreferencesPath,
} from '../../../modules/mails/choices.ts'
import { readBrand } from '../../../modules/mails/compose.ts'
import type { Brand } from '../../../modules/mails/template.ts'
import { isOfManagers, readUnsubscribePath, type Stopping, unsubscribe } from '../../../modules/mails/unsubscribe.ts'
import { rejectByLink } from '../../../modules/me/reject-change.ts'
import { type Rejecting, readRejectPath } from '../../../modules/me/reject-link.ts'
import { erasedEmail } from '../../../modules/personal-data/erased-email.ts'
import type { MailPageTexts } from '../../../texts/en/mail-pages.ts'
import { joinTexts, mailPageTexts } from '../../../texts/texts.ts'
import type { Handler, RequestState } from '../../handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { brandTop, colorLink, logoDirectives } from '../brand.ts'
import { wayUp } from '../bundled-page.ts'
import { languageLinks } from '../join/page.ts'
import { chosenLanguage, requestedLanguage } from '../language.ts'
import { pageSecurity } from '../security-headers.ts'

/** Writes a page. */
type Say = (text: string, status?: number) => Answer

const prefix = '/mail/unsubscribe/'
const rejectPrefix = '/mail/payout-address/'
const preferencesPrefix = '/mail/preferences/'
const prefixes = [prefix, rejectPrefix, preferencesPrefix]

/** A form has two fields. */
const maxBodyBytes = 1024
const headersFor = (program: Branded | null) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  ...pageSecurity(["style-src 'self'", ...logoDirectives(program?.logoUrl ?? null)], {
    formAction: "'self'",
  }),
})

type Branded = Brand & { slug: string; name: string; closedAt: Date | null }

/** It has the style of the pages where people apply, and the program's colour and logo. */
const page = (language: Language, title: string, up: string, program: Branded | null, main: string): string =>
  `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title><link rel="stylesheet" href="${up}join/style.css">${colorLink(program?.color ?? null, `${up}join/`)}</head>
<body><main>${program ? brandTop(program.name, program.logoUrl) : ''}${main}</main></body></html>
`

/**
 * `/mail/unsubscribe/…` stops mails of a kind without signing in (RFC 8058), `/mail/preferences/…` chooses them, and
 * `/mail/payout-address/…` rejects a changed payout address. Opening a link changes nothing.
 */
export function createMailPages({
  db,
  now,
  webhooks,
  publicUrl,
}: {
  db: AppDb
  now: () => Date
  webhooks: { key: Buffer }
  publicUrl: PublicUrl
}): Handler {
  const turns = createTurns(maxTurnsWithoutKey)
  /** @param program null if the link does not say whose mail it was in */
  const answerTo = (incoming: Incoming, language: Language, program: Branded | null): Say => {
    const reader = { language, words: joinTexts[language] }
    return (text, status = 200) => ({
      ...emptyAnswer(status, headersFor(program)),
      body: page(
        language,
        mailPageTexts[language].title,
        wayUp(incoming),
        program,
        `${text}\n${languageLinks(reader, incoming.search)}`,
      ),
    })
  }

  /** Null if it was deleted. */
  const readProgram = async ({ signal }: Incoming, programId: string): Promise<Branded | null> => {
    const scoped = db.ofProgram(programId)
    const select = { slug: true, name: true, closedAt: true } as const
    const read = async () => {
      const program = await scoped.program.findUnique({ where: { id: programId, deletedAt: null }, select })
      return program && { ...program, ...(await readBrand(scoped, { id: programId })) }
    }
    return inTurn(turns, read, { signal })
  }

  const readAffiliate = ({ signal }: Incoming, { programId, affiliateId }: Addressee) => {
    const where = { programId_id: { programId, id: affiliateId } }
    const select = { id: true, email: true, language: true, program: { select: { locale: true } } } as const
    return inTurn(turns, () => db.ofProgram(programId).affiliate.findUnique({ where, select }), { signal })
  }
  type Affiliate = Awaited<ReturnType<typeof readAffiliate>>

  /** What the address says, else the affiliate's language, else what the browser asks for. */
  const languageFor = (incoming: Incoming, affiliate: Affiliate): Language => {
    const own = affiliate?.language ?? requestedLanguage(incoming) ?? affiliate?.program.locale ?? ''
    return chosenLanguage(incoming) ?? languageOf(own) ?? defaultLanguage
  }

  const stop = async (incoming: Incoming, language: Language, answer: Say, stopping: Stopping): Promise<Answer> => {
    const words = mailPageTexts[language].stop
    const what = words.what[stopping.what]
    if (isRead(incoming))
      return answer(`<h1>${words.question(what)}</h1><form method="post"><button>${words.button}</button></form>`)
    await inTurn(turns, () => unsubscribe(db, stopping, now()), { signal: incoming.signal })
    return answer(
      `<h1>${words.done(what)}</h1><p>${isOfManagers(stopping.what) ? words.againForManagers : words.again}</p>`,
    )
  }

  const reject = async (
    incoming: Incoming,
    language: Language,
    answer: Say,
    state: RequestState,
    rejecting: Rejecting,
  ): Promise<Answer> => {
    const words = mailPageTexts[language].reject
    if (isRead(incoming))
      return answer(
        `<h1>${words.question}</h1><p>${words.text}</p><form method="post"><button>${words.button}</button></form>`,
      )
    const { log, requestId } = state
    const run = () => rejectByLink({ db, now, log, requestId, publicUrl }, rejecting)
    const isRejected = await inTurn(turns, run, { signal: incoming.signal })
    return answer(
      isRejected
        ? `<h1>${words.done}</h1><p>${words.doneText}</p>`
        : `<h1>${mailPageTexts[language].invalid}</h1><p>${words.invalidText}</p>`,
    )
  }

  const choose = async (incoming: Incoming, language: Language, answer: Say, addressee: Addressee): Promise<Answer> => {
    if (!isRead(incoming)) {
      const fields = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
      await inTurn(turns, () => choosePreferences(db, addressee, fields, now()), { signal: incoming.signal })
    }
    const read = () => readMailChoices(db.ofProgram(addressee.programId), addressee)
    const choices = await inTurn(turns, read, { signal: incoming.signal })
    return answer(preferencesForm(choices, !isRead(incoming), mailPageTexts[language]))
  }

  /** Mail programs break long links. */
  const broken = (incoming: Incoming): Answer => {
    const language = chosenLanguage(incoming) ?? requestedLanguage(incoming) ?? defaultLanguage
    const { invalid, incomplete } = mailPageTexts[language]
    return answerTo(incoming, language, null)(`<h1>${invalid}</h1><p>${incomplete}</p>`, 404)
  }

  return async (incoming, state) => {
    const addressee = readPath(incoming.path, preferencesPrefix, (path) => readPreferencesPath(webhooks.key, path))
    const stopping = readPath(incoming.path, prefix, (path) => readUnsubscribePath(webhooks.key, path))
    const rejecting = readPath(incoming.path, rejectPrefix, (path) => readRejectPath(webhooks.key, path))
    const stopped = stopping && { programId: stopping.programId, affiliateId: stopping.addresseeId }
    const to = addressee ?? stopped ?? rejecting
    if (!to) return prefixes.some((one) => incoming.path.startsWith(one)) ? broken(incoming) : null
    if (!isRead(incoming) && incoming.method !== 'POST') return methodNotAllowed('GET, HEAD, POST')
    const affiliate = await readAffiliate(incoming, to)
    const language = languageFor(incoming, affiliate)
    const words = mailPageTexts[language]
    const program = await readProgram(incoming, to.programId)
    if (state.ownSlug !== undefined && program?.slug !== state.ownSlug) return null
    const answer = answerTo(incoming, language, program)
    const moving = () => answer(`<h1>${words.moving}</h1><p>${words.movingText}</p>`, 503)
    const over = () => answer(`<h1>${words.invalid}</h1>`, 404)
    if (affiliate && affiliate.email === erasedEmail(affiliate.id)) return over()
    // What is written now would not move with it.
    if (program?.closedAt && !isRead(incoming)) return moving()
    try {
      if (addressee) return await choose(incoming, language, answer, addressee)
      if (stopping) return await stop(incoming, language, answer, stopping)
      return rejecting && (await reject(incoming, language, answer, state, rejecting))
    } catch (error) {
      if (isProgramClosed(error)) return moving()
      if (!isForeignKeyViolation(error)) throw error
      // The program or the affiliate was deleted. Mails outlive both.
      return over()
    }
  }
}

function preferencesForm(
  { commissions, ...choices }: Choices,
  isSaved: boolean,
  { preferences: words }: MailPageTexts,
): string {
  const options = Object.entries(words.cadences).map(
    ([value, name]) => `<option value="${value}"${value === commissions ? ' selected' : ''}>${name}</option>`,
  )
  const boxes = (Object.keys(checkboxes) as (keyof typeof checkboxes)[]).map((choice) => {
    const name = checkboxes[choice]
    const checked = choices[choice] ? ' checked' : ''
    return `<label class="check"><input type="checkbox" name="${name}" value="true"${checked}> ${words[name]}</label>`
  })
  return `<h1>${words.title}</h1>${isSaved ? `<p role="status">${words.saved}</p>` : ''}<form method="post">
<p><label>${words.commissions} <select name="commissions">${options.join('')}</select></label></p>
${boxes.join('\n')}
<button>${words.save}</button></form>`
}

const readPath = <T>(path: string, begin: string, read: (rest: string) => T | null): T | null =>
  path.startsWith(begin) ? read(path.slice(begin.length)) : null
