import { Link } from '@tanstack/react-router'
import {
  type ApplicationFragment,
  type ApplicationState,
  AskedFieldsDocument,
} from '../../../generated/dashboard/applications/graphql.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useCampaigns } from '../affiliates/use-campaigns.ts'
import { useData } from '../api/use-data.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Moment } from '../ui/moment.tsx'

const words = texts.applications

const tones: Record<ApplicationState, Tone> = {
  APPLIED: 'wait',
  APPROVED: 'good',
  REJECTED: 'bad',
  EXPIRED: 'plain',
  SUSPECTED_SPAM: 'wait',
}

export const states = Object.keys(tones) as ApplicationState[]

/** What the trap of the form has caught waits for a person, too. */
export const isWaiting = ({ state }: Pick<ApplicationFragment, 'state'>): boolean =>
  state === 'APPLIED' || state === 'SUSPECTED_SPAM'

export const StateBadge = ({ state }: { state: ApplicationState }) => (
  <Badge tone={tones[state]}>{words.states[state]}</Badge>
)

/** What speaks against the applicant, or asks for a second look. */
export const warningsOf = ({ earlierCount, sameNetworkCount, isDisposable }: ApplicationFragment): string[] => [
  ...(isDisposable ? [words.disposable] : []),
  ...(earlierCount > 0 ? [words.earlier(earlierCount)] : []),
  ...(sameNetworkCount > 0 ? [words.sameNetwork(sameNetworkCount)] : []),
]

export const knownOf = (application: ApplicationFragment): string[] => [
  ...(application.isInvited ? [words.isInvited] : []),
  ...(application.referredBy ? [words.referredBy(application.referredBy.email)] : []),
  ...warningsOf(application),
]

/** Returns the name of the campaign that a person applied to. */
export function useCampaignName() {
  const { all, defaultId } = useCampaigns()
  return ({ campaignId }: Pick<ApplicationFragment, 'campaignId'>): string =>
    all.find(({ value }) => value === (campaignId ?? defaultId))?.name ?? ''
}

/** The program's own fields. */
export const useAskedFields = () => useData(AskedFieldsDocument, {}).data?.joinSettings.fields ?? []

/** The answers to the program's own fields, with what the page calls them. */
export const answersOf = ({ fields }: ApplicationFragment, asked: ReturnType<typeof useAskedFields>) =>
  fields.map(({ name, value }) => ({
    name,
    label: asked.find((field) => field.name === name)?.label ?? name,
    value,
  }))

/** Everything that is known of an application. */
export function ApplicationFacts({ application }: { application: ApplicationFragment }) {
  const { program } = useProgram()
  const answers = answersOf(application, useAskedFields())
  const campaignOf = useCampaignName()
  const { state, email, reason, affiliateId, termsVersion, termsAcceptedAt } = application
  const known = knownOf(application)
  return (
    <dl className="facts">
      <Fact name={words.columns.state}>
        <StateBadge state={state} /> {reason}
      </Fact>
      <Fact name={texts.fields.email}>{email}</Fact>
      {answers.map(({ name, label, value }) => (
        <Fact key={name} name={label}>
          {value}
        </Fact>
      ))}
      <Fact name={texts.money.campaign}>{campaignOf(application)}</Fact>
      <Fact name={words.columns.known}>
        {known.length === 0 ? words.nothingKnown : known.map((one) => <p key={one}>{one}</p>)}
      </Fact>
      {termsVersion !== null && termsAcceptedAt !== null && (
        <Fact name={words.terms}>
          {words.termsVersion(termsVersion)}, <Moment at={termsAcceptedAt} />
        </Fact>
      )}
      <Fact name={words.columns.createdAt}>
        <Moment at={application.createdAt} />
      </Fact>
      {application.confirmedAt && (
        <Fact name={words.confirmedAt}>
          <Moment at={application.confirmedAt} />
        </Fact>
      )}
      {application.decidedAt && (
        <Fact name={words.decidedAt}>
          <Moment at={application.decidedAt} />
        </Fact>
      )}
      {affiliateId && (
        <Fact name={texts.money.affiliate}>
          <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliateId }}>
            {nameOf(application)}
          </Link>
        </Fact>
      )}
      <Fact name={words.mails}>
        <Link to="/$program/mails" params={{ program: program.slug }} search={{ to: email }}>
          {words.showMails}
        </Link>
      </Fact>
    </dl>
  )
}
