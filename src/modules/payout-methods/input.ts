import { oneOf } from '../../kernel/input/fields.ts'
import { payoutMethods } from './addresses.ts'

export const payoutMethod = oneOf('PayoutMethod', payoutMethods)
