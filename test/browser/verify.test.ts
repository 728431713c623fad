import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { axeProblems, hasChromium, needsChromium, sharedChromium } from '../support/browser.ts'

const example = JSON.parse(await readFile('docs/statement-example.json', 'utf8'))
const keys = await readFile('docs/statement-example-keys.json')

const fileOf = (value: unknown) => ({
  name: '2026-10.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(value)),
})

describe.skipIf(!hasChromium)('/verify in a browser without a network', async () => {
  if (!hasChromium) return it(needsChromium, () => {})
  const test = await createTestApp()
  // Browsers have WebCrypto on pages of this host, as on those with https.
  const server = createServer((request, response) => test.app.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  it('verifies statements, names the line that was changed, and sends nothing', async () => {
    const browser = await sharedChromium()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${origin}/verify`)
    await context.setOffline(true)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const [statements, otherKeys] = [page.locator('input').first(), page.locator('input').last()]
    await otherKeys.setInputFiles({ name: 'jwks.json', mimeType: 'application/json', buffer: keys })
    await statements.setInputFiles(fileOf(example))
    await page.getByText('Genuine, unchanged, whole').waitFor()
    await page.getByText('10 % of 20000 = 2000, rounded: 2000').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const changed = structuredClone(example)
    changed.statements[0].lines[1].amountCents = '2001'
    await statements.setInputFiles(fileOf(changed))
    await page.getByText('line 2: Line 2 was changed').waitFor()
    expect(requests).toEqual([])
    await context.close()
  })
})
