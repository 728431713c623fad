import { useState } from 'react'
import { RederiveFeedDocument, type RederiveFeedMutation } from '../../../generated/dashboard/developers/graphql.ts'
import { inLocale } from '../../parts/format.tsx'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

type Rederived = NonNullable<RederiveFeedMutation['rederiveFeed']>

const mostShown = 500

/** Shows what would differ before it is applied. */
export function DeriveAgain({ feedId }: { feedId: string }) {
  const [rederive, isRunning] = useAction(RederiveFeedDocument)
  const [found, setFound] = useState<Rederived>()
  const show = useToast()
  /** Calls until all events are read: a call ends after some seconds. */
  const rederiveAll = async (dryRun: boolean) => {
    const all: Rederived = { events: 0, next: null, totals: [], differences: [] }
    for (let after: string | null | undefined; after !== null; ) {
      const { data, failure } = await rederive({ input: { feedId, dryRun, after } }, { refreshes: !dryRun })
      if (!data) return { failure }
      const { events, totals, differences, next } = data.rederiveFeed
      all.events += events
      all.totals.push(...totals)
      all.differences.push(...differences.slice(0, mostShown - all.differences.length))
      after = next
    }
    return { all }
  }
  const look = async () => {
    const { all, failure } = await rederiveAll(true)
    if (!all) return show(failure)
    if (all.differences.length > 0) setFound(all)
    else show(words.noDifferences)
  }
  const apply = async () => {
    const { all, failure } = await rederiveAll(false)
    if (!all) return failure
    show(words.rederived(all.events))
  }
  return (
    <>
      <button type="button" onClick={look} disabled={isRunning}>
        {words.rederive}
      </button>
      <Confirm
        title={words.rederiveTitle}
        text={found && <Differences found={found} />}
        action={words.rederive}
        isDanger={false}
        isOpen={found !== undefined}
        onClose={() => setFound(undefined)}
        onConfirm={apply}
      />
    </>
  )
}

function Differences({ found }: { found: Rederived }) {
  const more = found.totals.reduce((sum, { count }) => sum + count, 0) - found.differences.length
  return (
    <>
      <ul className="lines">
        {found.differences.map(({ saleExternalId, what }) => (
          <li key={`${saleExternalId} ${what}`}>
            <code>{saleExternalId}</code> {inLocale(what)}
          </li>
        ))}
      </ul>
      {more > 0 && <p>{words.moreDifferences(more)}</p>}
    </>
  )
}
