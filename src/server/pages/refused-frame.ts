import type { Answer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { contentSecurity } from './security-headers.ts'

/** Every page can show the reason. It is only text: the page itself has headers by which browsers refuse it. */
const headers = {
  ...contentSecurity,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'",
}

const setting =
  'In the dashboard: <em>Applications → How people apply</em>. In GraphQL: <code>updateJoinSettings</code>.'

/**
 * The reason why a page is not shown in a frame, if `embed.js` names an origin that the program does not. Null for
 * other requests: without `embed.js`, browsers refuse the frame, and do not say why.
 */
export function refusedFrame({ search }: Incoming, program: string, origins: readonly string[]) {
  const origin = new URLSearchParams(search).get('origin')
  if (origin === null || origins.includes(origin)) return null
  const reason = `${escapeHtml(program)} does not name the origin <code>${escapeHtml(origin)}</code>, so this page is not shown in a frame there.`
  const body = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Not shown here</title>
  <p>${reason}</p>
  <p>${setting}</p>
</html>
`
  return { status: 403, headers, body } satisfies Answer
}
