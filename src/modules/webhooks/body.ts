import type { Event } from '../../generated/prisma/client.ts'
import type { WebhookFormat } from '../../generated/prisma/enums.ts'
import { renderObject } from '../event-log/render.ts'
import type { Rendered } from '../event-log/state.ts'

export type SentEvent = Pick<Event, 'id' | 'type' | 'subject' | 'version' | 'requestId' | 'createdAt'> & {
  state: unknown
}

export const bodyOf = (event: SentEvent, format: WebhookFormat): string =>
  bodyOfRendered({ ...event, version: Number(event.version), object: renderObject(event) }, format)

export type RenderedEvent = Pick<Event, 'id' | 'type' | 'requestId' | 'createdAt'> & {
  version: number
  object: Rendered
}

/** Compact JSON, as `JSON.stringify` writes it: some receivers verify the body that they parsed and wrote again. */
export function bodyOfRendered(event: RenderedEvent, format: WebhookFormat): string {
  const { id, type, requestId, version, object } = event
  const at = event.createdAt.toISOString()
  if (format === 'standard') return JSON.stringify({ type, timestamp: at, version, data: object })
  return JSON.stringify({
    object,
    event: { id, type, created_at: at, api_version: 'v1', version },
    request: { id: requestId },
  })
}
