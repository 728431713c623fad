import { PayoutServiceKind } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { kinds } from './kinds/all.ts'
import type { Ability } from './kinds/kind.ts'

const descriptions = Object.values(PayoutServiceKind).map((service) => [
  service,
  kinds[service]?.description ?? 'It cannot be connected yet.',
])

export const PayoutServiceKindEnum = defineEnum(
  'PayoutServiceKind',
  'A service that sends payments by its API.',
  Object.fromEntries(descriptions) as Record<PayoutServiceKind, string>,
)

export const PayoutServiceAbilityEnum = defineEnum('PayoutServiceAbility', 'What a service can do by its API.', {
  quote: 'It says before what a run costs, or at least whether the balance is enough.',
  verify: 'It checks a payee before money moves.',
  send: 'It sends payments.',
  cancel: 'It cancels a payment that was not claimed.',
  ask: 'It answers what became of payments.',
  hear: 'It sends what became of payments by itself, as webhooks.',
} satisfies Record<Ability, string>)
