import { readFile, rm, writeFile } from 'node:fs/promises'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../commands/mutate.ts'
import { startProgressLine } from '../progress-line.ts'
import { readPage, type StripeObject } from './stripe-api.ts'

type Options = {
  program: string
  feed: string
  since: string
  api: string
  keyFile: string
  state?: string
  dryRun: boolean
}
type Differences = { sale: string; what: string }[]
type Sent = { stored: number; known: number; differences: Differences }

/** The lists of the API, and the events that their objects stand for. Who pays is read before what is paid. */
const lists: { path: string; more: string; eventsOf(object: StripeObject): object[] }[] = [
  {
    path: '/v1/checkout/sessions',
    more: '&status=complete',
    eventsOf: (object) => [made('checkout.session.completed', object)],
  },
  { path: '/v1/invoices', more: '&status=paid', eventsOf: (object) => [made('invoice.paid', object)] },
  { path: '/v1/invoice_payments', more: '&status=paid', eventsOf: (object) => [made('invoice_payment.paid', object)] },
  {
    path: '/v1/charges',
    more: '',
    eventsOf: (object) => [
      ...(object.paid === true || object.status === 'succeeded' ? [made('charge.succeeded', object)] : []),
      ...(Number(object.amount_refunded) > 0 ? [made('charge.refunded', object)] : []),
    ],
  },
  { path: '/v1/refunds', more: '', eventsOf: (object) => [made('refund.created', object)] },
  {
    path: '/v1/disputes',
    more: '',
    eventsOf: (object) => [
      made(/won|lost|closed/.test(String(object.status)) ? 'charge.dispute.closed' : 'charge.dispute.created', object),
    ],
  },
  // Events are kept for 30 days at Stripe. They are stored under their own ids, as by webhook.
  { path: '/v1/events', more: '', eventsOf: (object) => [object] },
]

/** An event that says what the object says now. A later state of the object is another event. */
const made = (type: string, object: StripeObject) => ({
  id: `backfill_${type}_${object.id}_${object.status ?? ''}_${object.amount_refunded ?? ''}`,
  object: 'event',
  type,
  created: object.created,
  livemode: object.livemode,
  data: { object },
})

type Place = { list: number; after?: string; stored: number; known: number }

/** Reads past payments from the API, and sends them to the feed. Goes on where an earlier run stopped. */
export async function backfill(options: Options) {
  const { feed, since, api, dryRun, state = `feed-backfill-${feed}.json` } = options
  const key = await readKey(options.keyFile)
  const from = Date.parse(since)
  if (Number.isNaN(from)) throw new OperatorError('--since is not a date. Write 2025-01-01.')
  const place: Place = dryRun ? start() : await readPlace(state)
  const differences: Differences = []
  const unread: string[] = []
  const progress = startProgressLine()
  for (; place.list < lists.length; Object.assign(place, { list: place.list + 1, after: undefined })) {
    const { path, more, eventsOf } = lists[place.list] as (typeof lists)[number]
    for (let hasMore = true; hasMore; ) {
      const cursor = place.after ? `&starting_after=${encodeURIComponent(place.after)}` : ''
      const page = await readPage(api, key, `${path}?limit=100&created[gte]=${Math.floor(from / 1000)}${more}${cursor}`)
      if (page === null) unread.push(path)
      const last = page?.data.at(-1)
      if (!page || !last) break
      for (const part of partsOf(page.data.flatMap(eventsOf))) {
        const sent = await send(options, part)
        place.stored += sent.stored
        place.known += sent.known
        differences.push(...sent.differences)
      }
      place.after = last.id
      hasMore = page.has_more
      if (!dryRun) await writeFile(state, JSON.stringify(place))
      progress.show(`${path}: ${place.stored} new events, ${place.known} known`)
    }
  }
  progress.end()
  await rm(state, { force: true })
  const { stored, known } = place
  return { stored, known, dry_run: dryRun, not_readable: unread.join(' ') || null, differences }
}

const readKey = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => {
      throw new OperatorError(`There is no key in ${path}. Write a restricted key of Stripe that can read into it.`)
    },
  )

const start = (): Place => ({ list: 0, stored: 0, known: 0 })

async function readPlace(path: string): Promise<Place> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return start()
  try {
    return { ...start(), ...(JSON.parse(text) as Place) }
  } catch {
    throw new OperatorError(`${path} cannot be read. Delete it to begin again.`)
  }
}

/** In bytes of JSON. A request has room for more. */
const largestPart = 400_000

function* partsOf(events: readonly object[]): Generator<object[]> {
  let part: object[] = []
  let size = 0
  for (const event of events) {
    const bytes = JSON.stringify(event).length
    if (part.length > 0 && size + bytes > largestPart) {
      yield part
      part = []
      size = 0
    }
    part.push(event)
    size += bytes
  }
  if (part.length > 0) yield part
}

const send = ({ feed: feedId, program, dryRun }: Options, events: object[]): Promise<Sent> =>
  mutate(
    'backfillFeed',
    'stored known differences { sale: saleExternalId what }',
    { feedId, events: JSON.stringify(events), dryRun },
    program,
  )
