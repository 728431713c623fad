import type { TestProgram } from './app.ts'

type Fetch = (request: Request) => Promise<Response>

/** Subscribes as a browser does. `next` returns the next event with its data or errors, or null at the end. */
export async function subscribe(
  fetch: Fetch,
  program: Pick<TestProgram, 'secret'>,
  query: string,
  { signal, variables }: { signal?: AbortSignal; variables?: object } = {},
) {
  const request = new Request('http://localhost:4000/graphql', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${program.secret}`,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query, variables }),
    signal: signal ?? null,
  })
  const response = await fetch(request)
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  // A stream starts with a keep-alive comment. An error response has no comment, and is read as an event.
  let text = response.ok ? decoder.decode((await reader.read()).value, { stream: true }) : ''
  return {
    response,
    async next(): Promise<any> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          if (block.startsWith('event: complete')) return null
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data) return JSON.parse(data)
          continue
        }
        const { done, value } = await reader.read()
        if (done) return null
        text += decoder.decode(value, { stream: true })
      }
    },
    close: () => reader.cancel(),
  }
}
