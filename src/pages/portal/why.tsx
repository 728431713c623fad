import { useState } from 'react'
import { WhyDocument } from '../../generated/portal/graphql.ts'
import { FailureNotice } from './failure-notice.tsx'
import { useLanguage } from './language-choice.tsx'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

/** Opens to the sentences that explain a commission. They are loaded when it is opened. */
export function Why({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.commissions.whyAmount}</summary>
      {isOpen && <Sentences id={id} />}
    </details>
  )
}

function Sentences({ id }: { id: string }) {
  const { data, failure, isLoading, retry } = useQuery(WhyDocument, { id, language: useLanguage() })
  const sentences = data?.me.commissions.nodes[0]?.explanation.sentences
  return (
    <>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {!sentences && isLoading && <p className="quiet">{texts.loading}</p>}
      {sentences && (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  )
}
