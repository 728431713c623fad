import type { Answer } from '../../http/answer.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import { forbidden } from '../../kernel/errors.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { Handler } from '../handler.ts'
import { answerLead } from './leads.ts'
import { isAllowed, preflight, withCors } from './origins.ts'
import { type TrackingParts, type TrackingRequest, trackingRequest } from './settings.ts'
import { answerVisit } from './visits.ts'

type Endpoint = {
  answer: (tracking: TrackingRequest, parts: TrackingParts) => Promise<Answer>
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
  async (incoming, state) => {
    const endpoint = endpoints[incoming.path.replace(/\/$/, '')]
    if (!endpoint) return null
    const answer = await answerEndpoint(endpoint, trackingRequest(incoming, state, parts.settings), parts)
    return withCors(answer, parts.settings.origins, incoming)
  }

async function answerEndpoint(
  { answer, failure }: Endpoint,
  tracking: TrackingRequest,
  parts: TrackingParts,
): Promise<Answer> {
  const { incoming, log } = tracking
  if (incoming.method === 'OPTIONS') return preflight()
  if (incoming.method !== 'POST') return methodNotAllowed('POST, OPTIONS')
  try {
    if (!isAllowed(parts.settings.origins, incoming))
      throw forbidden('Pages of this origin may not send tracking data. Add the origin to TRACKING_ORIGINS.')
    return await answer(tracking, parts)
  } catch (error) {
    return errorAnswer(toTributaryError(error, log), { failure })
  }
}
