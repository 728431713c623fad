import type { WebhookDeliveryState, WebhookDisabledReason, WebhookFormat } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const WebhookFormatEnum = defineEnum('WebhookFormat', 'The formats of what is sent to webhook endpoints.', {
  standard: 'Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
  convention: 'What receivers of the wider API convention expect: one signature, the hex digest of the body.',
} satisfies Record<WebhookFormat, string>)

export const WebhookEndpointStateEnum = defineEnum('WebhookEndpointState', 'The states of webhook endpoints.', {
  active: 'The last delivery succeeded, or there was none.',
  failing: 'The deliveries since the last success failed.',
  disabled: 'Nothing is sent.',
})

export const WebhookDisabledReasonEnum = defineEnum('WebhookDisabledReason', 'Why a webhook endpoint is disabled.', {
  manual: 'It was disabled by hand.',
  failing: 'All deliveries failed for three days.',
  gone: 'The receiver answered 410: it wants no more events.',
} satisfies Record<WebhookDisabledReason, string>)

export const WebhookDeliveryStateEnum = defineEnum(
  'WebhookDeliveryState',
  'The states of deliveries to webhook endpoints.',
  {
    pending: 'It waits for its first or its next try.',
    succeeded: 'The endpoint accepted it.',
    failed: 'It was not accepted, and is not tried again.',
  } satisfies Record<WebhookDeliveryState, string>,
)
