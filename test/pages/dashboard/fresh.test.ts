import { Client, fetchExchange, gql } from 'urql'
import { expect, it } from 'vitest'
import { freshExchange } from '../../../src/pages/dashboard/api/fresh.ts'

/** A client whose requests wait until the test answers them. A request that is aborted is never answered. */
function waitingClient() {
  const requests: { body: string; answer(data: object): void }[] = []
  const fetch = (_: unknown, { body, signal }: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      requests.push({ body: String(body), answer: (data) => resolve(Response.json({ data })) })
    })
  const client = new Client({
    url: 'http://localhost/graphql',
    exchanges: [freshExchange, fetchExchange],
    preferGetMethod: false,
    fetch: fetch as typeof globalThis.fetch,
  })
  const asked = (text: string) => requests.filter(({ body }) => body.includes(text))
  return { client, asked }
}

it('an answer from before a change does not replace the one that was asked for after it', async () => {
  const { client, asked } = waitingClient()
  const shown: string[] = []
  const { unsubscribe } = client
    .query(gql`query { names }`, {})
    .subscribe(({ data, error }) => shown.push(error?.message ?? data?.names))
  const change = client.mutation(gql`mutation { change }`, {}).toPromise()
  await expect.poll(() => asked('mutation').length).toBe(1)
  asked('mutation')[0]?.answer({ change: true })
  await change
  await expect.poll(() => asked('names').length).toBe(2)
  asked('names')[1]?.answer({ names: 'after' })
  await expect.poll(() => shown).toEqual(['after'])
  asked('names')[0]?.answer({ names: 'before' })
  // The answer to another query shows that the earlier one would have arrived.
  const other = client.query(gql`query { other }`, {}).toPromise()
  await expect.poll(() => asked('other').length).toBe(1)
  asked('other')[0]?.answer({ other: true })
  await other
  expect(shown).toEqual(['after'])
  unsubscribe()
})
