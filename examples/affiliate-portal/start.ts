import { createServer } from 'node:http'
import { createPortal } from './server.ts'

const { TRIBUTARY_URL: service = 'http://127.0.0.1:4000', TRIBUTARY_KEY: key, AFFILIATE_ID: affiliateId } = process.env
if (!key || !affiliateId) {
  console.error(
    "Set TRIBUTARY_KEY, a key of the program, and AFFILIATE_ID, whose numbers to show. See this example's README.",
  )
  process.exit(1)
}

const port = Number(process.env.PORT ?? 4100)
const answer = await createPortal({ service, key, affiliateId })
createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(502).end()
  })
}).listen(port, '127.0.0.1', () => console.log(`The portal: http://127.0.0.1:${port}`))
