import { inputOf } from '../../../graphql/inputs.ts'
import { agentClaimInput } from './input.ts'

inputOf('AffiliateAttributionInput', agentClaimInput)
