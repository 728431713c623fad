import { methodNotAllowed } from '../../http/methods.ts'
import { forbidden } from '../../kernel/errors.ts'
import { errorResponse } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { Handler } from '../handler.ts'
import { answerLead } from './leads.ts'
import { isAllowed, preflight, withCors } from './origins.ts'
import { type TrackingParts, type TrackingRequest, trackingRequest } from './settings.ts'
import { answerVisit } from './visits.ts'

type Endpoint = {
  answer: (tracking: TrackingRequest, parts: TrackingParts) => Promise<Response>
  /** The `error` of a response whose `details` list the problems. */
  failure: string
}

const endpoints: Record<string, Endpoint> = {
  '/track/visits': { answer: answerVisit, failure: 'Could not record the visit.' },
  '/track/leads': { answer: answerLead, failure: 'Could not record the lead.' },
}

/** `/track`: the endpoints that pages send visits and leads to, with a publishable key. */
export const createTrackingEndpoints =
  (parts: TrackingParts): Handler =>
  async (incoming) => {
    const endpoint = endpoints[incoming.url.pathname.replace(/\/$/, '')]
    if (!endpoint) return null
    const response = await answerEndpoint(endpoint, trackingRequest(incoming, parts.settings), parts)
    return withCors(response, parts.settings.origins, incoming.request)
  }

async function answerEndpoint(
  { answer, failure }: Endpoint,
  tracking: TrackingRequest,
  parts: TrackingParts,
): Promise<Response> {
  const { request, url, log } = tracking
  if (request.method === 'OPTIONS') return preflight()
  if (request.method !== 'POST') return methodNotAllowed('POST, OPTIONS')
  try {
    if (!isAllowed(parts.settings.origins, request, url))
      throw forbidden('Pages of this origin may not send tracking data. Add the origin to TRACKING_ORIGINS.')
    return await answer(tracking, parts)
  } catch (error) {
    return errorResponse(toTributaryError(error, log), { failure })
  }
}
