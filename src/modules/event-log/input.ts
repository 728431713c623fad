import { z } from 'zod'
import { described, instant, optional, reference, text } from '../../kernel/input/fields.ts'
import { pageFields } from '../../listing/page-fields.ts'

export const listEventsInput = z.object({
  page: pageFields.page,
  limit: pageFields.limit,
  type: optional(described(text(), 'Only events of this type.', { example: 'commission.paid' })),
  subjectId: optional(described(reference(), 'Only events of the resource with this id.')),
  affiliateId: optional(described(reference(), 'Only events of the affiliate with this id, and of its sales.')),
  createdSince: optional(described(instant(), 'Only events that happened at this time or later.')),
  createdUntil: optional(described(instant(), 'Only events that happened before this time.')),
})
