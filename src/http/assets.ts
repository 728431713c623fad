import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { memoize } from '../kernel/memoize.ts'
import { chooseEncoding } from './accept.ts'
import type { Answer } from './answer.ts'
import type { Incoming } from './incoming.ts'

type Bytes = Uint8Array<ArrayBuffer>

type Asset = { body: Bytes; type: string }

export type Assets = {
  /** A hash of all files. It is part of their addresses, so browsers can cache them forever. */
  version: string
  files: ReadonlyMap<string, Asset>
}

const mediaTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

// Quality 5 is as fast as gzip and compresses better. The highest quality takes seconds for an editor.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Each file is compressed once per encoding, on its first request. Assets live as long as the process. */
const compress = {
  br: memoize(
    async ({ body }: Asset): Promise<Bytes> => new Uint8Array(await promisify(brotliCompress)(body, brotliOptions)),
  ),
  gzip: memoize(async ({ body }: Asset): Promise<Bytes> => new Uint8Array(await promisify(gzip)(body))),
}

export function assetsOf(contents: ReadonlyMap<string, Uint8Array>): Assets {
  const hash = createHash('sha256')
  const files = new Map<string, Asset>()
  for (const [name, content] of [...contents].sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(name).update(content)
    const type = mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    files.set(name, { body: new Uint8Array(content), type })
  }
  return { version: hash.digest('hex').slice(0, 12), files }
}

/** The file at `/page/version/name`, or null. @param headers added to every file of the page */
export async function answerAsset(
  incoming: Incoming,
  { version, files }: Assets,
  headers: Record<string, string>,
): Promise<Answer | null> {
  const [, , requestedVersion, name = '', ...more] = incoming.path.split('/')
  const asset = requestedVersion === version && more.length === 0 ? files.get(name) : undefined
  if (!asset) return null
  const encoding = chooseEncoding(incoming, ['br', 'gzip'])
  return {
    status: 200,
    body: encoding ? await compress[encoding](asset) : asset.body,
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
      ...headers,
    },
  }
}
