/** Rows of an export, and the id to continue after. It is null after the last batch. */
export type Batch = {
  next: string | null
  text: string | null
  rows: Record<string, unknown>[]
  ends: string[]
  /** The columns that only the program has, and their values for each of `rows` as JSON. */
  columns: string[]
  values: string[]
}

/** What to read: rows after an id up to another, or a batch; with `ends`, only where batches end. */
export type Window = { after: string; until?: string; ends?: number }

type Read = (window: Window) => Promise<Batch>

/** By two connections, because the database would wait between two batches on one. */
const readAtOnce = 2
const endsAtOnce = 16

/** The batches of an export from the first one on. When one is wanted, the next one is read too. */
export async function* batchesOf(first: Batch, read: Read): AsyncGenerator<Batch> {
  let last = first
  yield last
  // The last window is a whole batch only if rows were added during the export.
  while (last.next !== null) {
    for await (last of readInOrder(windowsAfter(last.next, read), read)) yield last
  }
}

/** Windows of a batch each. The last one has no end. */
async function* windowsAfter(start: string, read: Read): AsyncGenerator<Window> {
  for (let after = start; ; ) {
    const { ends } = await read({ after, ends: endsAtOnce })
    for (const until of ends) {
      yield { after, until }
      after = until
    }
    if (ends.length < endsAtOnce) return yield { after }
  }
}

async function* readInOrder(windows: AsyncIterable<Window>, read: Read): AsyncGenerator<Batch> {
  const reading: Promise<Batch>[] = []
  for await (const window of windows) {
    const batch = read(window)
    // The error is thrown when the batch is wanted. If it never is, the client is gone.
    batch.catch(() => {})
    reading.push(batch)
    if (reading.length === readAtOnce) yield reading.shift() as Promise<Batch>
  }
  yield* reading
}
