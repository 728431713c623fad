import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { conversionStates } from './input.ts'

const conversionState: Words<typeof conversionStates> = {
  visitor: 'The person visited through a link.',
  lead: 'The person gave their e-mail.',
  conversion: 'The person bought.',
}

export const ConversionStateEnum = defineEnum('ConversionState', 'The progress of a referral.', conversionState)
