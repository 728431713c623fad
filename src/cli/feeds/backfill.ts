import { readFile, rm, writeFile } from 'node:fs/promises'
import { OperatorError } from '../../database/operator-error.ts'
import { mutate } from '../mutate.ts'
import { startProgressLine } from '../progress-line.ts'
import { collectByCustomer } from './by-customer.ts'
import { withAllLines } from './lines.ts'
import { type StripeEvent, type StripeList, stripeLists } from './lists.ts'
import { readPage, type StripeApi, type StripePage } from './stripe-api.ts'

type Options = {
  program: string
  feed: string
  since: string
  api: string
  account?: string
  keyFile: string
  state?: string
  dryRun: boolean
}
type Difference = { sale: string; what: string }
type Total = { change: string; count: number }
type Sent = { stored: number; known: number; differences: Difference[]; totals: Total[] }

/** Where a run is: the list, and the last object of it that was sent. */
type Place = { list: number; after?: string | undefined; stored: number; known: number }

/** How many differences a dry run shows. All are counted. */
const mostShown = 500

/** Reads past payments from the API, and sends them to the feed. Goes on where an earlier run stopped. */
export async function backfill(options: Options) {
  const { feed, since, dryRun, account, state = `feed-backfill-${feed}.json` } = options
  const from = Date.parse(since)
  if (Number.isNaN(from)) throw new OperatorError('--since is not a date. Write 2025-01-01.')
  const api = { base: options.api.replace(/\/$/, ''), key: await readKey(options.keyFile), account }
  const place: Place = dryRun ? start() : await readPlace(state)
  const unread: string[] = []
  const pages = async function* () {
    for await (const { list, page: first } of pagesOf(api, Math.floor(from / 1000), place)) {
      if (first === null) unread.push(list.path)
      const page = first && list.path === '/v1/invoices' ? await withAllLines(api, first) : first
      const events = page?.data.flatMap(list.eventsOf).map((event) => (account ? { ...event, account } : event)) ?? []
      yield { path: list.path, events }
    }
  }
  const shown = dryRun ? await tryOut(options, pages()) : {}
  if (!dryRun) await sendAll(options, pages(), place, state)
  const { stored, known } = place
  return { stored, known, dry_run: dryRun, not_readable: unread.join(' ') || null, ...shown }
}

type Pages = AsyncIterable<{ path: string; events: StripeEvent[] }>

async function sendAll(options: Options, pages: Pages, place: Place, state: string): Promise<void> {
  const progress = startProgressLine()
  for await (const { path, events } of pages) {
    for await (const part of partsOf([events.map((event) => JSON.stringify(event))])) {
      const sent = await send(options, part)
      place.stored += sent.stored
      place.known += sent.known
    }
    await writeFile(state, JSON.stringify(place))
    progress.show(`${path}: ${place.stored} new events, ${place.known} known`)
  }
  progress.end()
  await rm(state, { force: true })
}

/** Reads everything first, so that the events of a customer are tried together. */
async function tryOut(options: Options, pages: Pages): Promise<{ totals: Total[]; differences: Difference[] }> {
  const progress = startProgressLine()
  const collected = await collectByCustomer()
  // A dry run stores nothing, so each request has the promotion codes that its events name.
  const codes = new Map<string, string>()
  const differences: Difference[] = []
  const counts = new Map<string, number>()
  try {
    let read = 0
    for await (const { path, events } of pages) {
      await collected.add(events)
      for (const event of events)
        if (event.type.startsWith('promotion_code.')) codes.set(event.data.object.id, JSON.stringify(event))
      read += events.length
      progress.show(`${path}: ${read} events read`)
    }
    let tried = 0
    for await (const part of partsOf(collected.groups())) {
      const sent = await send(options, [...codesIn(part, codes), ...part])
      differences.push(...sent.differences.slice(0, mostShown - differences.length))
      for (const { change, count } of sent.totals) counts.set(change, (counts.get(change) ?? 0) + count)
      tried += part.length
      progress.show(`${tried} of ${read} events tried`)
    }
  } finally {
    progress.end()
    await collected.remove()
  }
  return { totals: [...counts].map(([change, count]) => ({ change, count })), differences }
}

/** The events of the promotion codes that other events name by their ids. */
function codesIn(part: readonly string[], codes: ReadonlyMap<string, string>): string[] {
  const ids = new Set(part.flatMap((event) => event.match(/"promo_\w+"/g) ?? []).map((id) => id.slice(1, -1)))
  return [...ids].flatMap((id) => codes.get(id) ?? []).filter((event) => !part.includes(event))
}

/** All pages from a place on. `place` is that after the page, so it can be kept once the page is sent. */
async function* pagesOf(
  api: StripeApi,
  since: number,
  place: Place,
): AsyncGenerator<{ list: StripeList; page: StripePage | null }> {
  for (; place.list < stripeLists.length; Object.assign(place, { list: place.list + 1, after: undefined })) {
    const list = stripeLists[place.list] as StripeList
    for (let hasMore = true; hasMore; ) {
      const created = list.isWhole ? '' : `&created[gte]=${since}`
      const cursor = place.after ? `&starting_after=${encodeURIComponent(place.after)}` : ''
      const page = await readPage(api, `${list.path}?limit=100${created}${list.more}${cursor}`)
      const last = page?.data.at(-1)
      hasMore = page?.has_more === true && last !== undefined
      if (last) place.after = last.id
      if (last || page === null) yield { list, page }
    }
  }
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

/** What one request may have, in characters of JSON and in events. */
const largestPart = 400_000
const mostEvents = 250

/** Puts events together for requests. Those of a group stay together as far as they fit. */
async function* partsOf(groups: Iterable<string[]> | AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let part: string[] = []
  let size = 0
  for await (const group of groups) {
    const length = group.reduce((sum, event) => sum + event.length, 0)
    const isFull = (more: number, count: number) => size + more > largestPart || part.length + count > mostEvents
    const isWhole = length <= largestPart && group.length <= mostEvents
    for (const [index, event] of group.entries()) {
      const startsGroup = isWhole && index === 0 && isFull(length, group.length)
      if (part.length > 0 && (startsGroup || isFull(event.length, 1))) {
        yield part
        part = []
        size = 0
      }
      part.push(event)
      size += event.length
    }
  }
  if (part.length > 0) yield part
}

const send = ({ feed: feedId, program, dryRun }: Options, events: string[]): Promise<Sent> =>
  mutate(
    'backfillFeed',
    'stored known totals { change count } differences { sale: saleExternalId what }',
    { feedId, events: `[${events.join(',')}]`, dryRun },
    program,
  )
