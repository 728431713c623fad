import { expect, it } from 'vitest'
import { RequestIncoming } from '../../../src/http/incoming.ts'
import { createBundledPage } from '../../../src/server/pages/bundled-page.ts'

it('a page that is not built yet says so, and the browser asks again', async () => {
  const page = createBundledPage({
    folder: 'not-built',
    path: 'not-built',
    title: 'Dashboard',
    noscript: '',
    allowedSources: [],
  })
  const answer = await page.answerPage(new RequestIncoming(new Request('http://localhost:4000/not-built')))
  expect([answer.status, answer.headers['Retry-After']]).toEqual([503, '2'])
  expect(answer.body).toContain('This page is being built.')
  expect(answer.body).toContain('<meta http-equiv="refresh" content="2">')
  const file = new RequestIncoming(new Request('http://localhost:4000/not-built/abc/page.js'))
  expect(await page.answerFile(file)).toBeNull()
})
