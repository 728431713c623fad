import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import {
  type CampaignRowFragment,
  CreateCampaignDocument,
  OneCampaignDocument,
  type OneCampaignQuery,
} from '../../../generated/dashboard/campaigns/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { ArchiveCampaign } from './archive.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { Brought } from './figures.tsx'
import { CampaignState } from './page.tsx'
import { Rules } from './rules/rules.tsx'
import { SaveChanges, useSaving } from './save-changes.tsx'
import { type CampaignValues, checkCampaign, inputOf, newValues, valuesOf } from './values.ts'

const words = texts.campaigns

const route = getRouteApi('/signed-in/$program/campaigns/$id')

/** One campaign, or a new one: its rules, and what they would have cost. */
export function Campaign() {
  const { id } = route.useParams()
  return id === 'new' ? <NewCampaign /> : <ExistingCampaign key={id} id={id} />
}

function NewCampaign() {
  const { program } = useProgram()
  const navigate = useNavigate()
  const show = useToast()
  const [createCampaign] = useAction(CreateCampaignDocument)
  const form = useFields<CampaignValues>(newValues(program), checkCampaign)
  const submit = form.handleSubmit(async (values) => {
    const outcome = await createCampaign({ input: inputOf(values) })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.created(values.name))
    const { id } = outcome.data.createCampaign.campaign
    await navigate({ to: '/$program/campaigns/$id', params: { program: program.slug, id }, replace: true })
  })
  return (
    <Page title={words.create} lead={words.newLead}>
      <CampaignForm form={form} onSubmit={submit} action={words.create} />
    </Page>
  )
}

function ExistingCampaign({ id }: { id: string }) {
  const { program, canChange } = useProgram()
  const { data, failure, retry } = useData(OneCampaignDocument, { id })
  const campaign = data?.campaign
  return (
    <Page
      title={campaign?.name ?? texts.views.campaigns}
      lead={
        <Link to="/$program/campaigns" params={{ program: program.slug }}>
          {texts.views.campaigns}
        </Link>
      }
      actions={
        campaign && (
          <>
            <CampaignState campaign={campaign} />
            {canChange && !campaign.isDefault && (
              <ArchiveCampaign campaign={campaign} affiliates={campaign.affiliates.totalCount} />
            )}
          </>
        )
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={8} />}
      {data && !campaign && <Empty title={words.unknown} text={words.unknownText} />}
      {/* After a change the form begins again with what is stored. */}
      {campaign && <Edit key={keyOf(campaign)} campaign={campaign} />}
      {campaign && <Rules campaign={campaign} />}
      {campaign && <Brought id={campaign.id} affiliates={campaign.affiliates.totalCount} />}
    </Page>
  )
}

const keyOf = (campaign: CampaignRowFragment) => JSON.stringify(valuesOf(campaign))

function Edit({ campaign }: { campaign: NonNullable<OneCampaignQuery['campaign']> }) {
  const before = valuesOf(campaign)
  const form = useFields<CampaignValues>(before, checkCampaign)
  const saving = useSaving(campaign, before, form)
  return (
    <>
      <CampaignForm form={form} onSubmit={form.handleSubmit(saving.ask)} action={texts.save} campaign={campaign} />
      <SaveChanges {...saving} campaign={campaign} before={before} />
    </>
  )
}
