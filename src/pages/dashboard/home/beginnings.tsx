import { Link } from '@tanstack/react-router'
import { BeginningsDocument } from '../../../generated/dashboard/home/graphql.ts'
import { useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const words = texts.home.beginnings

/** The way to the first sale. Shown until there is one. */
export function Beginnings() {
  const { program } = useProgram()
  const { data } = useData(BeginningsDocument, {})
  if (!data || data.sales.totalCount > 0) return null
  const steps = [
    { ...words.tracking, path: 'developers', isDone: data.referrals.totalCount > 0 },
    { ...words.affiliate, path: 'affiliates', isDone: data.affiliates.totalCount > 0 },
    { ...words.sale, path: 'developers', isDone: false },
  ] as const
  return (
    <Card title={words.title} lead={words.lead}>
      <ol className="beginnings">
        {steps.map(({ name, text, link, path, isDone }) => (
          <li key={name} className={isDone ? 'done' : undefined}>
            <div>
              <p className="entry-title">
                {name}
                {isDone && <span className="unseen"> ({words.done})</span>}
              </p>
              <p className="quiet">{text}</p>
            </div>
            <Link to={`/$program/${path}`} params={{ program: program.slug }} className="button">
              {link}
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
