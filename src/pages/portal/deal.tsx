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
      {data && data.me.rewardNews.length > 0 && (
        <div className="news">
          <h3>{texts.deal.news}</h3>
          <ul>
            {data.me.rewardNews.map(({ at, text, reward }) => (
              <li key={`${at} ${text}`}>
                {text}
                {new Date(at) > new Date() && (
                  <details>
                    <summary>{texts.deal.afterwards}</summary>
                    <ul>
                      {reward.lines.map((line) => (
                        <li key={line.text}>{line.text}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
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
