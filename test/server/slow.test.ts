import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()

it('slow senders do not block other requests', async () => {
  const ends: (() => void)[] = []
  const slow = Array.from({ length: 40 }, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('name='))
        ends.push(() => controller.close())
      },
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return program.send('/campaigns', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  })
  expect((await program.get('/campaigns')).status).toBe(200)
  for (const end of ends) end()
  for (const { status } of await Promise.all(slow)) expect(status).toBe(422)
})
