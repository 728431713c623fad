import { ImportsDocument, type ImportsQuery } from '../../../generated/dashboard/settings/graphql.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAsksAgain } from '../api/use-asks-again.ts'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const words = texts.settings.imports

type Import = ImportsQuery['imports'][number]

/** For operators: what is imported into the program from other servers, and how far it is. */
export function Imports() {
  const { data, failure, retry } = useData(ImportsDocument, {})
  useAsksAgain(data?.imports.some(({ finishedAt }) => finishedAt === null) === true, retry)
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data?.imports.length === 0 && (
        <Empty
          title={words.none}
          text={
            <>
              {words.noneText} <code>{words.command}</code>
            </>
          }
        />
      )}
      <ul className="entries">
        {data?.imports.map((one) => (
          <OneImport key={one.source} {...one} />
        ))}
      </ul>
    </Card>
  )
}

function OneImport({ source, startedAt, finishedAt, progress }: Import) {
  const done = progress.filter(({ isDone }) => isDone).length
  const current = progress.find(({ isDone }) => !isDone)
  return (
    <li>
      <div>
        <p className="entry-title reference">
          {source} <Badge tone={finishedAt ? 'good' : 'wait'}>{finishedAt ? words.finished : words.unfinished}</Badge>
        </p>
        <p className="quiet">
          {words.startedAt} <Moment at={startedAt} />
          {finishedAt && (
            <>
              {', '}
              {words.finishedAt} <Moment at={finishedAt} />
            </>
          )}
        </p>
        {!finishedAt && (
          <p className="quiet" role="status">
            {words.progress(done, progress.length)}{' '}
            {current && words.current(words.kinds[current.kind], current.nextPage)}
          </p>
        )}
      </div>
      {!finishedAt && <progress value={done} max={progress.length} aria-label={words.progressOf(source)} />}
    </li>
  )
}
