import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A file of a page. It is packed when somebody first asks for it so, and once. */
export type Asset = {
  body: Uint8Array<ArrayBuffer>
  type: string
  packed: Partial<Record<'br' | 'gzip', Promise<Uint8Array<ArrayBuffer>>>>
}

export type Assets = {
  /** Changes with any of the files, so that each can be kept for ever under its address. */
  version: string
  files: ReadonlyMap<string, Asset>
}

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

// Quality 5 packs as fast as gzip does, and smaller; the highest takes seconds for an editor.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const pack = {
  br: async (body: Uint8Array) => new Uint8Array(await promisify(brotliCompress)(body, brotliOptions)),
  gzip: async (body: Uint8Array) => new Uint8Array(await promisify(gzip)(body)),
}

/** The files of a page, by name. */
export function assetsOf(contents: ReadonlyMap<string, Uint8Array>): Assets {
  const hash = createHash('sha256')
  const files = new Map<string, Asset>()
  for (const [name, content] of [...contents].sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(name).update(content)
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    files.set(name, { body: new Uint8Array(content), type, packed: {} })
  }
  return { version: hash.digest('hex').slice(0, 12), files }
}

/**
 * The file at `/page/version/name`, or null. The version is part of the address, so what is behind one never changes.
 *
 * @param headers what all files of the page are answered with
 */
export async function answerAsset(
  request: Request,
  pathname: string,
  { version, files }: Assets,
  headers: Record<string, string>,
): Promise<Response | null> {
  const [, , asked, name = '', ...more] = pathname.split('/')
  const asset = asked === version && more.length === 0 ? files.get(name) : undefined
  if (!asset) return null
  const encoding = encodingFor(request)
  return new Response(encoding ? await packed(asset, encoding) : asset.body, {
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
      ...headers,
    },
  })
}

function encodingFor(request: Request): 'br' | 'gzip' | undefined {
  const accepted = request.headers.get('accept-encoding') ?? ''
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

function packed(asset: Asset, encoding: 'br' | 'gzip'): Promise<Uint8Array<ArrayBuffer>> {
  asset.packed[encoding] ??= pack[encoding](asset.body)
  return asset.packed[encoding]
}
