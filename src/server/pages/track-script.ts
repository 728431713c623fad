import { gzipSync } from 'node:zlib'
import { trackScript } from '../../generated/track-script.ts'
import { chooseEncoding } from '../../http/accept.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import { memoize } from '../../kernel/memoize.ts'
import type { Handler } from '../handler.ts'

/** `GET /track.js`, for every site. Browsers revalidate it after an hour, so new versions spread quickly. */
export const answerTrackScript: Handler = (incoming) => {
  if (!/^\/track\.js\/?$/.test(incoming.path)) return null
  if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
  return answerContent(incoming, contentIn(chooseEncoding(incoming, ['gzip']) ?? 'identity'))
}

/** For scripts that pages of every site load. */
export const openScriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

const headers = { ...openScriptHeaders, Vary: 'Accept-Encoding' }

const contentIn = memoize((encoding: 'gzip' | 'identity') =>
  encoding === 'gzip'
    ? contentOf(new Uint8Array(gzipSync(trackScript, { level: 9 })), { ...headers, 'Content-Encoding': 'gzip' })
    : contentOf(trackScript, headers),
)
