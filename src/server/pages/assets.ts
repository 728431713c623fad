import { LRUCache } from 'lru-cache'
import type { Answer } from '../../http/answer.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { Bucket } from '../../kernel/bucket.ts'
import type { AppDb } from '../../kernel/db.ts'
import { isId } from '../../kernel/ids.ts'
import { readFile } from '../../modules/assets/files.ts'
import { inTurn, type Turns } from '../limits/turns.ts'

const maxCachedBytes = 32 * 1024 * 1024
/** How long a deleted image is still shown. */
const cachedMs = 60_000

type Content = ReturnType<typeof contentOf>

/** `/portal/assets/{program}/{asset}.png`: an image for the pages of affiliates. It never changes. */
export function createAssetFiles(
  db: AppDb,
  bucket: Bucket | undefined,
  turns: Turns,
): (incoming: Incoming) => Promise<Answer | null> {
  const cache = new LRUCache<string, Content>({ maxSize: maxCachedBytes, ttl: cachedMs })
  return async (incoming) => {
    const [, programId = '', id = '', extension = ''] =
      /^\/portal\/assets\/([0-9a-f-]{36})\/([0-9a-f-]{36})\.([a-z]+)$/.exec(incoming.path) ?? []
    if (!isId(programId) || !isId(id)) return null
    if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
    const known = cache.get(incoming.path)
    if (known) return answerContent(incoming, known)
    const read = () => readFile({ db, bucket }, { programId, assetId: id })
    const file = await inTurn(turns, read, { signal: incoming.signal })
    if (!file || file.mediaType !== `image/${extension}`) return null
    const content = contentOf(new Uint8Array(file.content), headersOf(file.mediaType))
    cache.set(incoming.path, content, { size: file.content.byteLength + 1 })
    return answerContent(incoming, content)
  }
}

/** What somebody uploaded is an image, and nothing else, also if a browser opens it by itself. */
const headersOf = (mediaType: string) => ({
  'Content-Type': mediaType,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
})
