import { RewardDocument } from '../../generated/portal/graphql.ts'
import { FailureNotice } from './failure-notice.tsx'
import { useLanguage } from './language-choice.tsx'
import { type Terms, termsOf } from './terms.ts'
import { texts } from './texts.ts'
import { useQuery } from './use-query.ts'

/** What the affiliate earns, by the rules that hold for them, and the campaign's other terms. */
export function Deal({ terms }: { terms: Terms }) {
  const { data, failure, retry } = useQuery(RewardDocument, { language: useLanguage() })
  const earned = data?.me.reward.lines.map(({ text }) => text) ?? []
  return (
    <section aria-labelledby="terms">
      <h2 id="terms">{texts.deal.title}</h2>
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
      {data && (
        <ul className="terms">
          {[...earned, ...termsOf(terms)].map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
