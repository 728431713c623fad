// The service by hand on the embedded database, opened as Tributary opens it. It runs with tsx.
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { createLog } from '../../src/kernel/log.ts'
import { serve } from './by-hand.mjs'

const { pglite } = await openEmbedded({ dataDir: process.env.DATA_DIR ?? '', log: createLog('silent') })

/** @param {{ query(text: string, values?: unknown[]): Promise<any> }} on */
const asClient = (on) => ({
  query: (/** @type {string | { text: string, values: unknown[] }} */ query) =>
    typeof query === 'string' ? on.query(query) : on.query(query.text, query.values),
})

// PGlite has one connection. Its transactions exclude all other statements until they end.
await serve({
  ...asClient(pglite),
  transaction: (/** @type {(client: any) => Promise<any>} */ run) => pglite.transaction((tx) => run(asClient(tx))),
})
