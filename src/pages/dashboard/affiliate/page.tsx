import { getRouteApi, Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { OneAffiliateDocument, type WholeAffiliateFragment } from '../../../generated/dashboard/affiliate/graphql.ts'
import { FiguresDocument } from '../../../generated/dashboard/figures/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { nameOf, StateBadge } from '../affiliate-name.tsx'
import type { Definition } from '../affiliates/own-fields.tsx'
import { Subs } from '../analytics/subs.tsx'
import { useData } from '../api/use-data.ts'
import { FiguresCard, useWanted, WantedChoice } from '../figures/figures-card.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AffiliateActions } from './actions.tsx'
import { Brought } from './figures.tsx'
import { Rate } from './rate.tsx'
import { Share } from './share.tsx'
import { TaxProfile } from './tax.tsx'
import { Timeline } from './timeline.tsx'

const words = texts.affiliates.one
const route = getRouteApi('/signed-in/$program/affiliates/$id')

/** One affiliate: how they do, what they share, what they brought, and who changed them. */
export function Affiliate() {
  const { id } = route.useParams()
  const { program, canChange, canPay } = useProgram()
  const { data, failure, retry } = useData(OneAffiliateDocument, { id })
  const affiliate = data?.affiliate
  return (
    <Page
      title={affiliate ? nameOf(affiliate) : texts.views.affiliates}
      lead={
        <Link to="/$program/affiliates" params={{ program: program.slug }}>
          {texts.views.affiliates}
        </Link>
      }
      actions={affiliate && canChange && <AffiliateActions affiliate={affiliate} definitions={data.affiliateFields} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !affiliate && <Empty title={words.unknown} text={words.unknownText} />}
      {affiliate && (
        <>
          <Balances balances={affiliate.balances} />
          <Rate affiliate={affiliate} />
          <Figures id={affiliate.id} />
          <Share affiliate={affiliate} />
          <Details affiliate={affiliate} definitions={data.affiliateFields} />
          {canPay && <TaxProfile id={affiliate.id} />}
          <Brought id={affiliate.id} />
          <SubIds id={affiliate.id} />
          <Timeline id={affiliate.id} />
        </>
      )}
    </Page>
  )
}

const sums = ['due', 'pending', 'paid', 'total'] as const

/** The balances that are not zero, or else the one in the program's currency. */
function withMoney(balances: WholeAffiliateFragment['balances']) {
  const found = balances.filter((balance) => sums.some((sum) => balance[sum].cents !== 0))
  return found.length > 0 ? found : balances.slice(0, 1)
}

/** What they have, of all time, by currency. */
const Balances = ({ balances }: Pick<WholeAffiliateFragment, 'balances'>) => (
  <Card title={words.balance}>
    {withMoney(balances).map((balance) => (
      <dl key={balance.currency} className="amounts" aria-label={balance.currency.toUpperCase()}>
        {sums.map((sum) => (
          <div key={sum}>
            <dt>{words.balances[sum]}</dt>
            <dd>{formatMoney(balance[sum].cents, balance.currency)}</dd>
          </div>
        ))}
      </dl>
    ))}
  </Card>
)

function Figures({ id }: { id: string }) {
  const { wanted, setWanted, variables } = useWanted()
  const loaded = useData(FiguresDocument, { ...variables, where: { affiliateId: { equals: id } } })
  return (
    <FiguresCard
      {...loaded}
      title={words.figures}
      analytics={loaded.data?.analytics}
      wanted={wanted}
      onWanted={setWanted}
    />
  )
}

function SubIds({ id }: { id: string }) {
  const { wanted, setWanted, variables } = useWanted()
  const { range, timeZone, currency } = variables
  return (
    <Subs
      about={{ range, timeZone, currency }}
      affiliateId={id}
      actions={<WantedChoice wanted={wanted} onWanted={setWanted} />}
    />
  )
}

function Groups({ groups }: Pick<WholeAffiliateFragment, 'groups'>) {
  const { program } = useProgram()
  return groups.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <Link to="/$program/affiliates" params={{ program: program.slug }} search={{ group: id }}>
        {name}
      </Link>
    </Fragment>
  ))
}

function Details({
  affiliate,
  definitions,
}: {
  affiliate: WholeAffiliateFragment
  definitions: readonly Definition[]
}) {
  const { program } = useProgram()
  const { fields } = texts.affiliates
  const { fields: shared } = texts.settings.history
  const facts = [
    [fields.state, <StateBadge key="state" state={affiliate.state} />],
    [
      texts.fields.email,
      <a key="email" href={`mailto:${affiliate.email}`}>
        {affiliate.email}
      </a>,
    ],
    [
      fields.campaign,
      <Link key="campaign" to="/$program/campaigns/$id" params={{ program: program.slug, id: affiliate.campaign.id }}>
        {affiliate.campaign.name}
      </Link>,
    ],
    [fields.groups, affiliate.groups.length > 0 && <Groups key="groups" groups={affiliate.groups} />],
    [fields.paypalEmail, affiliate.paypalEmail],
    [fields.wiseEmail, affiliate.wiseEmail],
    [shared.iban, affiliate.iban],
    [shared.bic, affiliate.bic],
    [fields.stripeAccount, affiliate.stripeAccount],
    [
      shared.preferredPayoutMethod,
      affiliate.preferredPayoutMethod && texts.payoutRuns.methods[affiliate.preferredPayoutMethod],
    ],
    [shared.recipientType, affiliate.recipientType && fields.recipientTypes[affiliate.recipientType]],
    [fields.billingCustomerId, affiliate.billingCustomerId],
    ...definitions.map(
      ({ name, label }) => [label, affiliate.ownFields.find((field) => field.name === name)?.value] as const,
    ),
    [words.signIns, formatNumber(affiliate.signInCount)],
    [texts.affiliates.columns.createdAt, <Moment key="created" at={affiliate.createdAt} />],
  ] as const
  return (
    <Card title={words.details}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || <span className="quiet">{words.none}</span>}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
