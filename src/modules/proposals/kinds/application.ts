import { z } from 'zod'
import { described, oneOf, required } from '../../../kernel/input/fields.ts'
import { approveApplications, rejectApplications } from '../../applications/decide.ts'
import { approveApplicationsInput, joinDecisions, rejectApplicationsInput } from '../../applications/input.ts'
import { counted, defineKind } from '../kind.ts'

export const application = defineKind({
  meaning: 'Approves or rejects applications. Who is rejected gets the reason of the proposal only with `mailReason`.',
  mutation: 'approveApplications',
  arguments: z.object({
    ids: approveApplicationsInput.shape.ids,
    decision: required(described(oneOf('JoinDecision', joinDecisions), '`APPROVE` or `REJECT`.')),
    campaignId: approveApplicationsInput.shape.campaignId,
    mailReason: described(
      rejectApplicationsInput.shape.reason,
      'What rejected applicants read as the reason. Default: none.',
    ),
    notify: rejectApplicationsInput.shape.notify,
  }),
  async run(ctx, { ids, decision, campaignId, mailReason, notify }) {
    if (decision === 'approve') await approveApplications(ctx, { ids, campaignId })
    else await rejectApplications(ctx, { ids, reason: mailReason, notify })
    const verb = decision === 'approve' ? 'Approves' : 'Rejects'
    return () => ({ text: `${verb} ${counted(new Set(ids).size, 'application')}.`, money: [] })
  },
})
