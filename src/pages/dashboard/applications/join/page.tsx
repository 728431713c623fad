import { Link } from '@tanstack/react-router'
import { JoinDocument, type JoinQuery } from '../../../../generated/dashboard/applications/join/graphql.ts'
import { Copyable } from '../../../parts/copyable.tsx'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { serviceUrl } from '../../address.ts'
import { useData } from '../../api/use-data.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { CopyBox } from '../../ui/secret.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AskedFields } from './fields.tsx'
import { JoinRules } from './rules.tsx'
import { JoinSettingsForm } from './settings-form.tsx'
import { TermsVersions } from './terms.tsx'

const words = texts.applications.join

/** How people apply to the program: the page with its link, what it asks, what decides, and the terms. */
export function Join() {
  const { program, canChange } = useProgram()
  const { data, failure, retry } = useData(JoinDocument, {})
  const settings = data?.joinSettings
  return (
    <Page
      title={words.title}
      lead={
        <>
          <Link to="/$program/applications" params={{ program: program.slug }}>
            {texts.views.applications}
          </Link>{' '}
          {canChange ? words.lead : words.readOnly}
        </>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton lines={8} />}
      {data && settings && (
        <>
          <Links campaigns={data.campaigns.nodes} isEmbedded={settings.origins.length > 0} />
          {/* After a change the form begins again with what is stored. */}
          <JoinSettingsForm key={JSON.stringify(settings)} settings={settings} />
          <AskedFields fields={settings.fields} />
          <JoinRules rules={settings.rules} fields={settings.fields} />
          <TermsVersions terms={data.terms} now={data.program.clock} />
        </>
      )}
    </Page>
  )
}

/** The page of the default campaign, and those of the others. Private campaigns have none. */
function Links({ campaigns, isEmbedded }: { campaigns: JoinQuery['campaigns']['nodes']; isEmbedded: boolean }) {
  const { program } = useProgram()
  const show = useToast()
  const address = serviceUrl(`join/${program.slug}`)
  const others = campaigns.filter((campaign) => !campaign.isDefault && !campaign.private)
  return (
    <Card
      title={words.page}
      lead={words.pageLead}
      actions={
        <a className="button" href={address} target="_blank" rel="noopener">
          {words.openPage}
        </a>
      }
    >
      <CopyBox text={address} name={words.link} />
      <h3>{words.embed}</h3>
      {isEmbedded ? (
        <CopyBox
          text={`<script src="${serviceUrl('join/embed.js')}" data-program="${program.slug}"></script>`}
          name={words.embed}
        />
      ) : (
        <p className="quiet">{words.embedNeedsOrigin}</p>
      )}
      {others.length > 0 && (
        <>
          <h3>{words.otherCampaigns}</h3>
          <dl className="facts">
            {others.map(({ id, name }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd>
                  <Copyable
                    text={`${address}?campaign=${id}`}
                    name={words.linkOf(name)}
                    onStatus={(status) => status && show(status.startsWith('Copied') ? texts.copied : status)}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  )
}
