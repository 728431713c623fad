import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { conversionStates } from './input.ts'

const conversionState: Words<typeof conversionStates> = {
  visitor: 'Came through a link.',
  lead: 'Said who they are.',
  conversion: 'Bought.',
}

export const ConversionStateEnum = defineEnum('ConversionState', 'How far a referral has come.', conversionState)
