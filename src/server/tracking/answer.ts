import { TributaryError } from '../../kernel/errors.ts'
import { errorResponse } from '../../rest/errors.ts'
import { trackScriptAnswer } from '../pages/track-script/serve.ts'
import { toTributaryError } from '../unexpected.ts'
import { answerLead } from './leads.ts'
import type { Asked, TrackingParts } from './options.ts'
import { isAllowed, preflight, withCors } from './origins.ts'
import { createRedirect } from './redirect.ts'
import { answerVisit } from './visits.ts'

export type AnswerTracking = (asked: Asked) => Promise<Response | null>

const endpoints: Record<string, { answer: typeof answerVisit; failure: string }> = {
  '/track/visits': { answer: answerVisit, failure: 'Could not record the visit.' },
  '/track/leads': { answer: answerLead, failure: 'Could not record the lead.' },
}

/** Answers what pages and links ask for, without a secret; null for everything else. */
export function createTracking(parts: TrackingParts): AnswerTracking {
  const redirect = createRedirect(parts)
  return async (asked) => {
    const { request, url } = asked
    const path = url.pathname.replace(/(?<=.)\/$/, '')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const endpoint = endpoints[path]
    if (endpoint) return withCors(await answerEndpoint(endpoint, asked, parts), parts.settings.origins, request)
    if (path === '/track.js') return isRead ? trackScriptAnswer(request) : notAllowed('GET, HEAD')
    if (!path.startsWith('/r/')) return null
    if (!isRead) return notAllowed('GET, HEAD')
    return redirect(asked, path.slice('/r/'.length)).catch((error: unknown) =>
      errorResponse(toTributaryError(error, asked.log)),
    )
  }
}

async function answerEndpoint(
  { answer, failure }: (typeof endpoints)[string],
  asked: Asked,
  parts: TrackingParts,
): Promise<Response> {
  const { request, url, log } = asked
  if (request.method === 'OPTIONS') return preflight()
  if (request.method !== 'POST') return notAllowed('POST, OPTIONS')
  try {
    if (!isAllowed(parts.settings.origins, request, url))
      throw new TributaryError('FORBIDDEN', 'Pages of this origin may not send here: see TRACKING_ORIGINS.')
    return await answer(asked, parts)
  } catch (error) {
    return errorResponse(toTributaryError(error, log), { failure })
  }
}

const notAllowed = (allow: string): Response => {
  const response = errorResponse(new TributaryError('METHOD_NOT_ALLOWED', 'Method not allowed.'))
  response.headers.set('Allow', allow)
  return response
}
