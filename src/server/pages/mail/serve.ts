import { type Answer, emptyAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import {
  type Addressee,
  type Choices,
  choosePreferences,
  readMailChoices,
  readPreferencesPath,
} from '../../../modules/mails/choices.ts'
import { readUnsubscribePath, type Stopping, unsubscribe } from '../../../modules/mails/unsubscribe.ts'
import { type Rejecting, readRejectPath, rejectPayoutChange } from '../../../modules/me/payout-address.ts'
import { clockOf } from '../../../modules/programs/clock.ts'
import type { Handler, RequestState } from '../../entrance/handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { pageSecurity } from '../security-headers.ts'
import { en } from './texts/en.ts'

const prefix = '/mail/unsubscribe/'
const rejectPrefix = '/mail/payout-address/'
const preferencesPrefix = '/mail/preferences/'

/** A form has two fields. */
const maxBodyBytes = 1024
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  ...pageSecurity([], { formAction: "'self'" }),
}

const page = (main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${en.title}</title></head>
<body><main>${main}</main></body></html>
`

/**
 * `/mail/unsubscribe/…` stops mails of a kind without signing in (RFC 8058), `/mail/preferences/…` chooses them, and
 * `/mail/payout-address/…` rejects a changed payout address. Opening a link changes nothing.
 */
export function createMailPages({
  db,
  now,
  webhooks,
}: {
  db: AppDb
  now: () => Date
  webhooks: { key: Buffer }
}): Handler {
  const turns = createTurns(maxTurnsWithoutKey)
  const answer = (text: string): Answer => ({ ...emptyAnswer(200, headers), body: page(text) })

  const stop = async (incoming: Incoming, stopping: Stopping): Promise<Answer> => {
    const words = en.stop
    const what = words.what[stopping.what]
    if (isRead(incoming))
      return answer(`<h1>${words.question(what)}</h1><form method="post"><button>${words.button}</button></form>`)
    await inTurn(turns, () => unsubscribe(db, stopping, now()), { signal: incoming.signal })
    return answer(`<h1>${words.done(what)}</h1><p>${words.again}</p>`)
  }

  const reject = async (incoming: Incoming, state: RequestState, rejecting: Rejecting): Promise<Answer> => {
    const words = en.reject
    if (isRead(incoming))
      return answer(
        `<h1>${words.question}</h1><p>${words.text}</p><form method="post"><button>${words.button}</button></form>`,
      )
    const run = async () => {
      const program = await db.program.findUnique({ where: { id: rejecting.programId } })
      if (!program || program.closedAt) return false
      const { log, requestId } = state
      const ctx = { db: db.ofProgram(program.id), now: clockOf(program, now), log, requestId, program }
      return rejectPayoutChange(ctx, rejecting)
    }
    const isRejected = await inTurn(turns, run, { signal: incoming.signal })
    return answer(
      isRejected
        ? `<h1>${words.done}</h1><p>${words.doneText}</p>`
        : `<h1>${words.invalid}</h1><p>${words.invalidText}</p>`,
    )
  }

  const choose = async (incoming: Incoming, addressee: Addressee): Promise<Answer> => {
    if (!isRead(incoming)) {
      const fields = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
      await inTurn(turns, () => choosePreferences(db, addressee, fields, now()), { signal: incoming.signal })
    }
    const read = () => readMailChoices(db.ofProgram(addressee.programId), addressee)
    const choices = await inTurn(turns, read, { signal: incoming.signal })
    return answer(preferencesForm(choices, !isRead(incoming)))
  }

  return async (incoming, state) => {
    const addressee = readPath(incoming.path, preferencesPrefix, (path) => readPreferencesPath(webhooks.key, path))
    const stopping = readPath(incoming.path, prefix, (path) => readUnsubscribePath(webhooks.key, path))
    const rejecting = readPath(incoming.path, rejectPrefix, (path) => readRejectPath(webhooks.key, path))
    if (!stopping && !rejecting && !addressee) return null
    if (!isRead(incoming) && incoming.method !== 'POST') return methodNotAllowed('GET, HEAD, POST')
    if (addressee) return choose(incoming, addressee)
    if (stopping) return stop(incoming, stopping)
    return rejecting && reject(incoming, state, rejecting)
  }
}

function preferencesForm({ commissions, payouts }: Choices, isSaved: boolean): string {
  const words = en.preferences
  const options = Object.entries(words.cadences).map(
    ([value, name]) => `<option value="${value}"${value === commissions ? ' selected' : ''}>${name}</option>`,
  )
  return `<h1>${words.title}</h1>${isSaved ? `<p role="status">${words.saved}</p>` : ''}<form method="post">
<p><label>${words.commissions} <select name="commissions">${options.join('')}</select></label></p>
<p><label><input type="checkbox" name="payouts" value="true"${payouts ? ' checked' : ''}> ${words.payouts}</label></p>
<button>${words.save}</button></form>`
}

const readPath = <T>(path: string, begin: string, read: (rest: string) => T | null): T | null =>
  path.startsWith(begin) ? read(path.slice(begin.length)) : null
