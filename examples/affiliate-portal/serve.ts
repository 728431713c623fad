import { createServer } from 'node:http'
import { createBackend } from './backend.ts'
import { build } from './build.ts'

// Builds the page and serves it on the loopback address only, because everyone who opens it sees the affiliate's data.
const { TRIBUTARY_URL = 'http://127.0.0.1:4000', TRIBUTARY_KEY, AFFILIATE_ID, PORT = '4100' } = process.env
if (!TRIBUTARY_KEY || !AFFILIATE_ID) {
  console.error(
    'Set TRIBUTARY_KEY (a secret API key of the program) and AFFILIATE_ID (an id or an e-mail). See examples/affiliate-portal/README.md.',
  )
  process.exit(1)
}
await build()
const backend = createBackend({ service: TRIBUTARY_URL, key: TRIBUTARY_KEY, affiliate: AFFILIATE_ID })
createServer(backend).listen(Number(PORT), '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${PORT}`
  console.log(`The portal is at ${origin}. The service at ${TRIBUTARY_URL} needs PORTAL_ORIGINS=${origin}`)
})
