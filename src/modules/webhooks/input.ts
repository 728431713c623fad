import { z } from 'zod'
import {
  clearable,
  described,
  flag,
  oneOf,
  optional,
  required,
  text,
  unchangedIfAbsent,
  url,
  where,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { wireOf, withWire } from '../../kernel/input/wire.ts'
import { eventTypes } from '../events/types.ts'

export const webhookFormats = ['standard', 'convention'] as const

const word = text(100)
const eventType = withWire(word, { ...wireOf(word), scalar: 'EventType' })

/** Types of events. An empty list stands for all types. */
const types = () =>
  withWire(
    z.preprocess(
      (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
      z
        .array(
          z
            .string({ error: 'must be types of events' })
            .refine((type) => (eventTypes as readonly string[]).includes(type), {
              error: ({ input }) => `has an unknown type: ${String(input).slice(0, 100)}`,
            }),
        )
        .max(eventTypes.length, { error: `can be at most ${eventTypes.length} at once` })
        .transform((given) => [...new Set(given)]),
    ),
    { type: 'array', items: wireOf(eventType) },
  )

const endpointUrl = described(url(), 'The URL that events are sent to, by POST.', {
  example: 'https://acme.test/webhooks',
})
const description = described(text(), 'What the endpoint is for.', { example: 'CRM' })
const someTypes = described(types(), 'The types of the events that are sent: `commission.paid`. Empty for all types.')
const conditions = described(where('Event'), 'Only events that match these conditions are sent: those of one campaign.')

export const createWebhookEndpointInput = z.object({
  url: required(endpointUrl),
  description: optional(description),
  eventTypes: optional(someTypes),
  where: optional(conditions),
  format: optional(
    described(
      oneOf('WebhookFormat', webhookFormats),
      'The format of bodies and signatures. It cannot be changed later.',
      {
        default: 'STANDARD',
      },
    ),
  ),
})

export const updateWebhookEndpointInput = z.object({
  url: unchangedIfAbsent(endpointUrl),
  description: clearable(description),
  eventTypes: unchangedIfAbsent(someTypes),
  where: clearable(conditions),
})

const mostHours = 24 * 30

export const rotateWebhookSecretInput = z.object({
  keepOldForHours: optional(
    described(
      wholeNumber(0, mostHours),
      'The number of hours in which the old secret is still used: in the standard format together with the new one, in the format of the convention instead of it.',
      { default: 24 },
    ),
  ),
})

export const sendTestEventInput = z.object({
  type: required(described(eventType, 'The type of the event: `commission.paid`.', { example: 'commission.paid' })),
})

export const replayEventsInput = z.object({
  where: optional(described(where('Event'), 'Only events that match these conditions. Default: all that are kept.')),
  includeDelivered: optional(
    described(flag(), 'Whether events are sent again that the endpoint has accepted.', { default: true }),
  ),
})
