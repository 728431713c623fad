import { Link } from '@tanstack/react-router'
import { StartDocument } from '../../../generated/dashboard/start/graphql.ts'
import { useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { doneSteps } from '../start/state.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

const words = texts.start

/** The way back to the first steps. Shown until there is a sale. */
export function Beginnings() {
  const { program } = useProgram()
  const { data } = useData(StartDocument, {})
  if (!data || data.sales.nodes.length > 0) return null
  const done = Object.values(doneSteps(data)).filter(Boolean).length
  return (
    <Card
      title={words.title}
      lead={words.progress(done)}
      actions={
        <Link to="/$program/start" params={{ program: program.slug }} className="button">
          {words.continue}
        </Link>
      }
    />
  )
}
