import { z } from 'zod'
import { described, optional, reference, text } from '../../kernel/input/fields.ts'
import { pageFields } from '../../listing/page-fields.ts'

export const listSalesInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only sales of this affiliate.')),
  campaignId: optional(described(reference(), 'Only sales of this campaign.')),
  customerId: optional(
    described(text(), 'Only sales of the customer with this id: its own id, or its id in the billing system.'),
  ),
  billingCustomerId: optional(
    described(text(), 'Only sales of referrals with this customer id in the billing system.', { example: 'cus_456' }),
  ),
  email: optional(described(text(), 'Only sales of the customer with this e-mail, compared without regard to case.')),
})
