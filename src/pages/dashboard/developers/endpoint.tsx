import { getRouteApi, Link } from '@tanstack/react-router'
import { type EndpointFragment, WebhookEndpointDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useData } from '../api/use-data.ts'
import { EndpointHistory } from '../history/endpoint.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ConditionFacts } from './condition-facts.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { typesInWords } from './event-groups.ts'

const words = texts.developers.webhooks
const route = getRouteApi('/signed-in/$program/developers/webhooks/$id')

/** One endpoint: what it is sent, and how that went. */
export function Endpoint() {
  const { id } = route.useParams()
  const { program, canChange } = useProgram()
  const { data, failure, retry } = useData(WebhookEndpointDocument, { id })
  const endpoint = data?.webhookEndpoint
  return (
    <Page
      title={endpoint?.url.replace(/^https:\/\//, '') ?? words.endpoint}
      lead={
        <Link to="/$program/developers" params={{ program: program.slug }}>
          {texts.views.developers}
        </Link>
      }
      actions={endpoint && canChange && <EndpointActions endpoint={endpoint} />}
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !endpoint && <Empty title={words.unknown} text={words.unknownText} />}
      {endpoint && (
        <>
          <Facts endpoint={endpoint} />
          <Card title={words.deliveries} lead={words.deliveriesLead}>
            <Deliveries endpointId={id} />
          </Card>
          <EndpointHistory id={id} />
        </>
      )}
    </Page>
  )
}

const Facts = ({ endpoint }: { endpoint: EndpointFragment }) => (
  <Card title={words.endpoint}>
    <dl className="facts">
      <div>
        <dt>{words.state}</dt>
        <dd>
          <EndpointState endpoint={endpoint} />
          {endpoint.disabledReason && <span className="quiet"> {words.reasons[endpoint.disabledReason]}</span>}
          {endpoint.failingSince && (
            <span className="quiet">
              {' '}
              {words.failingSince} <Moment at={endpoint.failingSince} />
            </span>
          )}
        </dd>
      </div>
      {endpoint.description && (
        <div>
          <dt>{words.description}</dt>
          <dd>{endpoint.description}</dd>
        </div>
      )}
      <div>
        <dt>{words.format}</dt>
        <dd>{words.formats[endpoint.format]}</dd>
      </div>
      <div>
        <dt>{words.events}</dt>
        <dd>{typesInWords(endpoint.eventTypes)}</dd>
      </div>
      {endpoint.where && (
        <div>
          <dt>{words.condition}</dt>
          <dd>
            <ConditionFacts where={endpoint.where} />
          </dd>
        </div>
      )}
      {endpoint.previousSecretEndsAt && (
        <div>
          <dt>{words.previousSecret}</dt>
          <dd>
            <Moment at={endpoint.previousSecretEndsAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>{words.createdAt}</dt>
        <dd>
          <Moment at={endpoint.createdAt} />
        </dd>
      </div>
    </dl>
  </Card>
)
