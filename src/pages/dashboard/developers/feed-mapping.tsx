import { useState } from 'react'
import { type FeedFactsFragment, TestFeedMappingDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { action } from '../api/action.ts'
import { useAction, useData } from '../api/use-data.ts'
import { AreaField, FormFailure } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds

/** The mapping of a generic feed. It is tested against the last events before it can be saved. */
export function FeedMapping({ feed }: { feed: FeedFactsFragment }) {
  const form = useFields({ mapping: feed.mapping ?? '' }, () => ({}))
  const [tested, setTested] = useState<string>()
  const [update, isSaving] = useAction(action('updateFeed'))
  const show = useToast()
  const mapping = form.watch('mapping')
  const isTested = tested === mapping && mapping.trim() !== ''
  const { data, failure, retry } = useData(
    TestFeedMappingDocument,
    { feedId: feed.id, mapping: tested ?? '' },
    { pause: tested === undefined || tested.trim() === '' },
  )
  const save = async () => {
    const outcome = await update({ input: { id: feed.id, mapping } })
    if (!outcome.data) return showRejection(form, outcome)
    form.reset({ mapping })
    show(words.wasChanged)
  }
  return (
    <Card title={words.mapping} lead={words.mappingHint}>
      <form className="mapping" onSubmit={form.handleSubmit(() => setTested(mapping))} noValidate>
        <AreaField form={form} name="mapping" label={words.expression} rows={8} />
        <FormFailure form={form} />
        <div className="actions">
          <button type="submit">{words.testMapping}</button>
          <button type="button" className="primary" onClick={save} disabled={!isTested || isSaving || !!failure}>
            {texts.save}
          </button>
        </div>
      </form>
      <AskToLeave form={form} />
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
