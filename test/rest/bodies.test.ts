import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createAffiliate } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const form = 'application/x-www-form-urlencoded'
const post = (path: string, contentType: string | undefined, body: BodyInit) =>
  program.send(path, {
    method: 'POST',
    headers: contentType === undefined ? {} : { 'Content-Type': contentType },
    body,
  })

describe('a form is read like JSON', () => {
  it('as sent by clients of the convention', async () => {
    const { status, body } = await post('/affiliates', form, 'first_name=A&last_name=B%26B+C&email=a%40b.co&token=t-1')
    expect(status).toBe(201)
    expect(body).toMatchObject({ first_name: 'A', last_name: 'B&B C', email: 'a@b.co', links: [{ token: 't-1' }] })
  })

  it('with numbers and booleans', async () => {
    const fields = 'name=Form&url=https%3A%2F%2Facme.test&commission_percent=12.5&private=true&max_commissions=3'
    const { body } = await post('/campaigns', `${form}; charset=utf-8`, fields)
    expect(body).toMatchObject({ commission_percent: 12.5, private: true, max_commissions: 3 })
    const put = { method: 'PUT', headers: { 'Content-Type': form }, body: 'private=0&max_commissions=' }
    expect((await program.send(`/campaigns/${body.id}`, put)).body).toMatchObject({
      private: false,
      max_commissions: null,
    })
  })

  it('with the same response to the same mistake', async () => {
    const asForm = await post('/affiliates', form, 'email=&token=not+a+token')
    const asJson = await program.post('/affiliates', { email: '', token: 'not a token' })
    expect(asForm.status).toBe(422)
    expect(asForm.body).toEqual(asJson.body)
  })

  it.each(['email[]=a@b.co', 'email=a@b.co&email=b@b.co', 'email[0]=a@b.co'])(
    'returns 422 when the e-mail is a list: %s',
    async (body) => {
      expect((await post('/affiliates', form, body)).status).toBe(422)
    },
  )
})

it('reads a form with hundreds of thousands of values in linear time', async () => {
  const startedAt = performance.now()
  expect((await post('/affiliates', form, 'a=1&'.repeat(260_000))).status).toBe(422)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

describe('JSON', () => {
  it.each(['application/json', 'application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
    'is accepted as %s',
    async (contentType) => {
      const email = `type-${Math.random()}@example.com`
      expect((await post('/affiliates', contentType, JSON.stringify({ email }))).status).toBe(201)
    },
  )

  it('keeps non-ASCII text', async () => {
    const name = 'Zoë 李 🙂 "quoted" \\ <b>'
    expect((await createAffiliate(program, { first_name: name })).first_name).toBe(name)
  })

  it.each(['{"email": ', '{email: 1}', '[', '"text', 'email=a@b.co', "{'a':1}", '\u0000'])(
    'returns 400 when it is invalid: %j',
    async (body) => {
      const answer = await post('/affiliates', 'application/json', body)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.any(String) })
    },
  )

  it.each(['[]', '"text"', '1', 'null', 'true'])('returns 400 when it is not an object: %s', async (body) => {
    expect((await post('/affiliates', 'application/json', body)).status).toBe(400)
  })

  it('returns 400 when the body is not UTF-8', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"email":"'), 0xff, 0xfe, ...Buffer.from('@b.co"}')])
    expect((await post('/affiliates', 'application/json', bytes)).status).toBe(400)
  })

  it('ignores fields named like properties of JavaScript objects', async () => {
    const body = '{"__proto__":{"email":"p@example.com"},"constructor":1,"toString":null,"hasOwnProperty":2}'
    const answer = await post('/affiliates', 'application/json', body)
    expect(answer.status).toBe(422)
    expect(answer.body.details).toEqual(["Email can't be blank"])
  })
})

describe('415', () => {
  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/octet-stream', 'nonsense'])(
    'for %s',
    async (contentType) => {
      const answer = await post('/affiliates', contentType, '{"email":"a415@example.com"}')
      expect(answer.status).toBe(415)
      expect(answer.body).toEqual({ error: expect.any(String) })
    },
  )
})

describe('413', () => {
  const ofBytes = (size: number) => {
    const around = JSON.stringify({ email: 'large@example.com', ignored: '' }).length
    return JSON.stringify({ email: 'large@example.com', ignored: 'x'.repeat(size - around) })
  }

  it('for a body over 1 MiB, but not for one of exactly 1 MiB', async () => {
    const answer = await post('/affiliates', 'application/json', ofBytes(1_048_577))
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual({ error: expect.any(String) })
    expect((await post('/affiliates', 'application/json', ofBytes(1_048_576))).status).toBe(201)
  })

  it('for a body without a content length', async () => {
    let sent = 0
    const stream = new ReadableStream({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(65_536).fill(32))
        if (sent === 1000) controller.close()
      },
    })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: stream, duplex: 'half' }
    expect((await program.send('/affiliates', init as RequestInit)).status).toBe(413)
    // The rest of the body is not read.
    expect(sent).toBeLessThan(100)
  })
})

describe('an empty body', () => {
  it.each(['application/json', form, 'text/plain', 'nonsense'])(
    'is accepted with the content type %s',
    async (contentType) => {
      const { id } = await createAffiliate(program)
      const headers = { 'Content-Type': contentType }
      expect((await program.send('/affiliates', { headers })).status).toBe(200)
      expect((await program.send(`/affiliates/${id}`, { method: 'PUT', headers })).status).toBe(200)
      expect((await program.send('/affiliates', { method: 'POST', headers })).status).toBe(422)
    },
  )
})
