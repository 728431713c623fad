import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { kinds } from '../../../../src/modules/payout-services/kinds/all.ts'
import { ServiceProblem } from '../../../../src/modules/payout-services/problem.ts'

// Answers in JSON that are not what the service documents are problems in words, and no mistakes of ours.

const answers: Record<string, object> = {
  '/v2/profiles': [{ id: 1, type: 'BUSINESS', businessName: 'Acme', address: { countryIso2Code: 'US' } }],
  '/v3/profiles/1/batch-groups/lost': {},
  '/v2/money_management/outbound_payments': { data: [], next_page_url: 'http://[' },
}
const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0] as string
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? {}))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test.each([
  ['wise', { token: 'x' }, 'lost'],
  ['stripe', { secretKey: 'rk_test_x' }, 'lost'],
] as const)('%s', async (id, credentials, batch) => {
  const ask = async () => {
    for await (const _page of kinds[id]?.ask({ url, credentials, now: () => new Date() }, [batch], new Date()) ?? []);
  }
  await expect(ask()).rejects.toThrow(ServiceProblem)
})
