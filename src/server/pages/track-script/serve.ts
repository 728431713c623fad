import { gzipSync } from 'node:zlib'
import { trackScript } from '../../../generated/track-script.ts'
import { answerContent, type Content, contentOf, takesGzip } from '../../../http/conditional.ts'

let script: { plain: Content; packed: Content } | undefined

/** `GET /track.js`. Any site may load it; it is asked for again after an hour, so that all sites soon have a new one. */
export function trackScriptAnswer(request: Request): Response {
  script ??= render()
  return answerContent(request, takesGzip(request) ? script.packed : script.plain)
}

function render() {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  }
  return {
    plain: contentOf(trackScript, headers),
    packed: contentOf(new Uint8Array(gzipSync(trackScript, { level: 9 })), { ...headers, 'Content-Encoding': 'gzip' }),
  }
}
