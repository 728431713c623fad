import { useNavigate } from '@tanstack/react-router'
import {
  BranchChoicesDocument,
  type BranchChoicesQuery,
  CreateBranchDocument,
} from '../../../../generated/dashboard/campaigns/branches/graphql.ts'
import { momentOf } from '../../../../kernel/time-zone.ts'
import { createBranchInput } from '../../../../modules/rule-plans/branches/input.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

const words = texts.branches

/** Asks for what is different, and leads to the table. */
export function CreateBranch() {
  const { data, failure, retry } = useData(BranchChoicesDocument, {})
  if (failure) return <FailureNotice message={failure} onRetry={retry} />
  return data ? <Form choices={data} /> : <Skeleton />
}

const optionsOf = (nodes: readonly { id: string; name: string }[]) =>
  nodes.map(({ id: value, name }) => ({ value, name }))

function Form({ choices: { campaigns, affiliateGroups, program: own } }: { choices: BranchChoicesQuery }) {
  const { program } = useProgram()
  const navigate = useNavigate()
  const [create] = useAction(CreateBranchDocument)
  const groups = affiliateGroups.nodes
  const form = useFields(
    {
      name: '',
      since: '',
      what: groups.length > 0 ? 'group' : 'coupon',
      campaignId: campaigns.nodes[0]?.id ?? '',
      groupId: groups[0]?.id ?? '',
      percent: '',
    },
    checkInput(createBranchInput.pick({ name: true, since: true })),
  )
  const what = form.watch('what')
  const submit = form.handleSubmit(async ({ name, since: day, campaignId, groupId, percent }) => {
    const since = new Date(momentOf(Date.parse(day), own.timeZone)).toISOString()
    const group = groups.find(({ id }) => id === groupId)?.name ?? ''
    const rule = {
      campaignId,
      name: words.ruleOf(group, percent),
      appliesTo: 'ALL_SALES' as const,
      conditions: { groupIds: [groupId] },
      reward: { percent: Number(percent.replace(',', '.')) },
    }
    const differs = what === 'group' ? { rules: [rule] } : { attribution: 'COUPON_FIRST' as const }
    const outcome = await create({ input: { name, since, ...differs } })
    if (!outcome.data) return showRejection(form, outcome)
    const { id } = outcome.data.createBranch.branch
    await navigate({ to: '/$program/campaigns/branches/$id', params: { program: program.slug, id } })
  })
  const kinds = (groups.length > 0 ? (['group', 'coupon'] as const) : (['coupon'] as const)).map((value) => ({
    value,
    name: words.kinds[value],
  }))
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <TextField form={form} name="name" label={words.name} hint={words.nameHint} />
      <TextField form={form} name="since" type="date" label={words.since} hint={words.sinceHint} />
      <SelectField form={form} name="what" label={words.what} options={kinds} />
      {what === 'group' && (
        <>
          <SelectField form={form} name="campaignId" label={words.campaign} options={optionsOf(campaigns.nodes)} />
          <SelectField form={form} name="groupId" label={words.group} options={optionsOf(groups)} />
          <TextField form={form} name="percent" label={words.percent} inputMode="decimal" />
        </>
      )}
    </DialogForm>
  )
}
