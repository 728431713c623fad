import type { FeedFactsFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.developers.feeds.pausing

/** Stops and continues the derivation from a feed. Its events are stored meanwhile, so nothing is lost. */
export function PauseFeed({ feed: { id, pausedAt } }: { feed: FeedFactsFragment }) {
  const [pause, isPausing] = useAction(action('pauseFeed'))
  const [resume, isResuming] = useAction(action('resumeFeed'))
  const show = useToast()
  const change = async () => {
    const { data, failure } = await (pausedAt === null ? pause : resume)({ input: { id } })
    show(data ? (pausedAt === null ? words.paused : words.resumed) : (failure ?? words.failed))
  }
  return (
    <button type="button" onClick={change} disabled={isPausing || isResuming}>
      {pausedAt === null ? words.pause : words.resume}
    </button>
  )
}
