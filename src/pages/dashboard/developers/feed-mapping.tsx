import { type FormEvent, useId, useState } from 'react'
import {
  type FeedFactsFragment,
  TestFeedMappingDocument,
  UpdateFeedDocument,
} from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

/** The mapping of a generic feed. It is tested against the last events before it can be saved. */
export function FeedMapping({ feed }: { feed: FeedFactsFragment }) {
  const id = useId()
  const [mapping, setMapping] = useState(feed.mapping ?? '')
  const [tested, setTested] = useState<string>()
  const [update, isSaving] = useAction(UpdateFeedDocument)
  const show = useToast()
  const isTested = tested === mapping && mapping.trim() !== ''
  const { data, failure, retry } = useData(
    TestFeedMappingDocument,
    { feedId: feed.id, mapping: tested ?? '' },
    { pause: tested === undefined || tested.trim() === '' },
  )
  const save = async () => {
    const outcome = await update({ input: { id: feed.id, mapping } })
    show(outcome.data ? texts.saved : (outcome.problems.mapping ?? outcome.failure))
  }
  const test = (event: FormEvent) => {
    event.preventDefault()
    setTested(mapping)
  }
  return (
    <Card title={words.mapping} lead={words.mappingHint}>
      <form onSubmit={test}>
        <label htmlFor={id}>{words.mapping}</label>
        <textarea id={id} rows={8} value={mapping} onChange={({ target }) => setMapping(target.value)} />
        <button type="submit">{words.testMapping}</button>{' '}
        <button type="button" onClick={save} disabled={!isTested || isSaving || !!failure}>
          {texts.save}
        </button>
      </form>
      {isTested && failure && <FailureNotice message={failure} onRetry={retry} />}
      {isTested && !failure && (
        <ul className="lines" aria-live="polite">
          {data?.testFeedMapping.length === 0 && <li>{words.noEvents}</li>}
          {data?.testFeedMapping.map(({ event, result, problem }) => (
            <li key={event.id}>
              <code>{event.externalId}</code> {problem ?? words.usable}
              {result && (
                <pre>
                  <code>{result}</code>
                </pre>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
