import { z } from 'zod'
import { described, flag, optional, reference, required } from '../../../kernel/input/fields.ts'

export const createSsoLinkInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate whom the link signs in.')),
})

export const endMySessionsInput = z.object({
  id: optional(described(reference(), 'The session to end. Default: the one of this request.')),
  keepCurrent: optional(
    described(flag(), 'Whether all sessions but the one of this request end instead.', { default: false }),
  ),
})
