import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { answerContent, type Content, contentOf, takesGzip } from '../http/conditional.ts'

const defaultQuery = `# Give a key: in the Headers tab below, {"Authorization": "Bearer trib_sk_…"}.
# An operator names a program beside the token: "X-Program-Id".
{
  payouts(limit: 10) {
    pagination { totalCount }
    data { state amountCents currency affiliate { email } }
  }
}
`

type Page = { plain: Content; packed: Content }
let page: Page | undefined

/** GraphiQL as one page that asks no other origin for anything. It has some megabytes, so it is made and packed once. */
export function graphiqlPage(request: Request): Response {
  page ??= render()
  return answerContent(request, takesGzip(request) ? page.packed : page.plain)
}

function render(): Page {
  const html = renderGraphiQL({ title: 'Tributary', headers: '{"Authorization": "Bearer "}', defaultQuery })
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    Vary: 'Accept, Accept-Encoding',
  }
  return {
    plain: contentOf(html, headers),
    packed: contentOf(new Uint8Array(gzipSync(html)), { ...headers, 'Content-Encoding': 'gzip' }),
  }
}
