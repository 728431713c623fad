// /portal/embed.js and /join/embed.js: shows the portal, or the join page, in a frame at the place of the script.
import type { ToFrame, ToHost } from './messages.ts'

/** If a new token is rejected too, asking for more does not help. */
const askAgainAfterMs = 10_000

const script = document.currentScript as HTMLScriptElement
const [, kind = 'portal'] = /\/(portal|join)\/embed\.js/.exec(script.src) ?? []
const { program = '', token = null, tokenUrl, campaign, email, theme, lang } = script.dataset
let askedAt = Number.NEGATIVE_INFINITY

const address = new URL(
  kind === 'join' ? `../join/${encodeURIComponent(program)}` : `../portal?program=${encodeURIComponent(program)}`,
  script.src,
)
for (const [name, value] of Object.entries({ campaign, email, theme, lang }))
  if (value !== undefined) address.searchParams.set(name, value)
// The service says in the frame why an origin is refused. Browsers do not.
address.searchParams.set('origin', location.origin)

const frame = document.createElement('iframe')
frame.title = script.dataset.title ?? (kind === 'join' ? 'Become an affiliate' : 'Affiliate portal')
frame.style.cssText = 'display:block;width:100%;height:480px;border:0'
// The portal copies links.
frame.allow = 'clipboard-write'

const send = (message: ToFrame) => frame.contentWindow?.postMessage(message, address.origin)

/** The token that the page has, or a new one of the company's server. */
async function findToken(isExpired: boolean): Promise<string | null> {
  if (tokenUrl === undefined) return isExpired ? null : token
  if (!isExpired && token !== null) return token
  const now = performance.now()
  if (now - askedAt < askAgainAfterMs) return null
  askedAt = now
  const response = await fetch(tokenUrl, { headers: { Accept: 'application/json' } })
  if (!response.ok) return null
  const answer: { token?: unknown } = await response.json()
  return typeof answer.token === 'string' ? answer.token : null
}

addEventListener('message', ({ source, origin, data }: MessageEvent<ToHost | null>) => {
  if (source !== frame.contentWindow || origin !== address.origin || !data) return
  if (data.tributary === 'height') frame.style.height = `${data.height}px`
  else if (data.tributary === 'ready' || data.tributary === 'expired')
    findToken(data.tributary === 'expired')
      .catch(() => null)
      .then((found) => send({ tributary: 'token', token: found }))
})

frame.src = address.href
script.after(frame)
