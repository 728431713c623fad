import { z } from 'zod'
import { described, optional } from '../../../kernel/input/fields.ts'
import { references } from '../../../kernel/input/lists.ts'
import { sendMailToAffiliatesInput } from '../../mails/input.ts'
import { sendMailToAffiliates } from '../../mails/message.ts'
import { counted, defineKind } from '../kind.ts'

const { subject, text } = sendMailToAffiliatesInput.shape

export const mail = defineKind({
  meaning: 'Writes a mail to active affiliates.',
  mutation: 'sendMailToAffiliates',
  arguments: z.object({
    subject,
    text,
    affiliateIds: optional(described(references(1_000), 'Only to these affiliates. Default: to all active ones.')),
  }),
  async run(ctx, { subject, text, affiliateIds }) {
    const where = affiliateIds && { id: { in: affiliateIds } }
    const count = await sendMailToAffiliates({ ...ctx, mailKey: ctx.key }, { subject, text, where })
    return () => ({ text: `Writes a mail to ${counted(count, 'affiliate')}.`, money: [] })
  },
})
