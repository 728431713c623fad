import { AddTesterDocument, type StartQuery } from '../../../generated/dashboard/start/graphql.ts'
import { serviceUrl } from '../address.ts'
import { nameOf } from '../affiliate-name.tsx'
import { useAction } from '../api/use-data.ts'
import { snippetOf } from '../developers/snippet.ts'
import { useProgram, useSession } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Moment } from '../ui/moment.tsx'
import { CopyBox } from '../ui/secret.tsx'
import { useToast } from '../ui/toast.tsx'
import { Ways } from './ways.tsx'

const words = texts.start.site

/** How visits are counted, with a link to try it at once. */
export function SiteStep({ start }: { start: StartQuery }) {
  const { publishableKey, linkParameters, slug } = start.program
  const [tester] = start.affiliates.nodes
  const [visit] = start.visits.nodes
  const token = tester?.links.nodes[0]?.token ?? 'TOKEN'
  const script = (
    <CopyBox text={snippetOf(serviceUrl('track.js'), publishableKey, linkParameters)} name={words.script} />
  )
  const ways = [
    { key: 'script', name: words.script, text: words.scriptText, content: script },
    {
      key: 'links',
      name: words.links,
      text: words.linksText,
      content: <CopyBox text={serviceUrl(`r/${slug}/${token}`)} name={words.link} />,
    },
  ]
  return (
    <>
      <Ways name={words.way} ways={ways} />
      <h3>{words.tryIt}</h3>
      {tester ? <TryLink tester={tester} /> : <AddTester />}
      <p role="status" className={visit ? undefined : 'quiet'}>
        {visit ? (
          <>
            {words.seen} <Moment at={visit.createdAt} />
          </>
        ) : (
          tester && words.waiting
        )}
      </p>
    </>
  )
}

function TryLink({ tester }: { tester: StartQuery['affiliates']['nodes'][number] }) {
  const [link] = tester.links.nodes
  return (
    link && (
      <p>
        <a href={link.url} target="_blank" rel="noreferrer" className="button">
          {words.openLink(nameOf(tester))}
        </a>
      </p>
    )
  )
}

/** The person who tries it becomes the first affiliate: a link needs one. */
function AddTester() {
  const { canChange } = useProgram()
  const { person } = useSession()
  const [add, isRunning] = useAction(AddTesterDocument)
  const show = useToast()
  async function run() {
    const [firstName = '', ...others] = person.name.split(' ')
    const { failure } = await add({ input: { email: person.email, firstName, lastName: others.join(' ') || null } })
    show(failure ?? words.added)
  }
  if (!canChange) return null
  return (
    <p>
      <button type="button" disabled={isRunning} onClick={() => void run()}>
        {words.addTester}
      </button>{' '}
      <span className="quiet">{words.tester}</span>
    </p>
  )
}
