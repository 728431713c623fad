import type { PayoutMethod } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { methods } from './all.ts'

const descriptions = Object.entries(methods).map(([method, { description }]) => [method, description])

export const PayoutMethodEnum = defineEnum(
  'PayoutMethod',
  'How payouts are paid.',
  Object.fromEntries(descriptions) as Record<PayoutMethod, string>,
)
