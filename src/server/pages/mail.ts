import { type Answer, emptyAnswer } from '../../http/answer.ts'
import { isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { readUnsubscribePath, unsubscribe } from '../../modules/mails/unsubscribe.ts'
import type { Handler } from '../entrance/handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../limits/turns.ts'
import { pageSecurity } from './security-headers.ts'

const prefix = '/mail/unsubscribe/'
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  ...pageSecurity([], { formAction: "'self'" }),
}

const words = { commissions: 'mails about new commissions', payouts: 'mails about payouts' }

const page = (main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Mails</title></head>
<body><main>${main}</main></body></html>
`

/** `/mail/unsubscribe/…`: stops mails of a kind without signing in (RFC 8058). Opening the link stops nothing. */
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
  return async (incoming) => {
    if (!incoming.path.startsWith(prefix)) return null
    const stopping = readUnsubscribePath(webhooks.key, incoming.path.slice(prefix.length))
    if (!stopping) return null
    const answer = (text: string): Answer => ({ ...emptyAnswer(200, headers), body: page(text) })
    const what = words[stopping.what]
    if (isRead(incoming))
      return answer(`<h1>Stop ${what}?</h1><form method="post"><button>Stop these mails</button></form>`)
    if (incoming.method !== 'POST') return methodNotAllowed('GET, HEAD, POST')
    await inTurn(turns, () => unsubscribe(db, stopping, now()), { signal: incoming.signal })
    return answer(`<h1>You get no more ${what}</h1><p>You can turn them on again in the portal.</p>`)
  }
}
