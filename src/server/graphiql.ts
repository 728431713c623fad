import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

const defaultQuery = `# Give a key: in the Headers tab below, {"Authorization": "Bearer trib_sk_…"}.
# An operator names a program beside the token: "X-Program-Id".
{
  payouts(limit: 10) {
    pagination { totalCount }
    data { state amountCents currency affiliate { email } }
  }
}
`

type Page = { html: string; gzipped: Buffer; etag: string }
let page: Page | undefined

/** GraphiQL as one page that asks no other origin for anything. It has some megabytes, so it is made and packed once. */
export function graphiqlPage(headers: Headers): Response {
  page ??= render()
  const common = { ETag: page.etag, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' }
  if (headers.get('if-none-match') === page.etag) return new Response(null, { status: 304, headers: common })
  const packed = headers.get('accept-encoding')?.includes('gzip') ?? false
  return new Response(packed ? new Uint8Array(page.gzipped) : page.html, {
    headers: { ...common, 'Content-Type': 'text/html; charset=utf-8', ...(packed && { 'Content-Encoding': 'gzip' }) },
  })
}

function render(): Page {
  const html = renderGraphiQL({ title: 'Tributary', headers: '{"Authorization": "Bearer "}', defaultQuery })
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
  return { html, gzipped: gzipSync(html), etag }
}
