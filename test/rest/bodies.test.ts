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

  it('and text that is not encoded as UTF-8 is rejected, in a query too', async () => {
    const error = '%E9 is not UTF-8. Encode text as UTF-8: é is %C3%A9.'
    const answer = { status: 400, body: { error } }
    expect(await post('/affiliates', form, 'first_name=Ren%E9&email=rene%40b.co')).toMatchObject(answer)
    expect(await program.get('/affiliates?email=ren%E9%40b.co')).toMatchObject(answer)
    const sent = 'first_name=Ren%C3%A9%20100%&last_name=%EF%BF%BD&email=rene%40b.co'
    expect((await post('/affiliates', form, sent)).body).toMatchObject({ first_name: 'René 100%', last_name: '\ufffd' })
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

it('returns 400 for a form of more than 2,000 values', async () => {
  expect((await post('/affiliates', form, `email=many%40b.co${'&a[]=1'.repeat(1_999)}`)).status).toBe(201)
  const { status, body } = await post('/affiliates', form, 'a=1&'.repeat(2_000))
  expect([status, body]).toEqual([400, { error: 'A form or a query may have 2,000 fields.' }])
})

describe('JSON that is too large returns 400', () => {
  const list = (size: number, entry: unknown = 1) => Array.from({ length: size }, () => entry)
  it.each([
    ['a list of 2,001', { a: list(2_001) }, 'The body has a list with more than 2,000 entries. Send several requests.'],
    [
      'an object of 201 fields',
      { a: Object.fromEntries(list(201).map((_, index) => [`f${index}`, 1])) },
      'The body has an object with more than 200 fields.',
    ],
    ['501 objects', { a: list(500, {}) }, 'The body has more than 500 objects. Send several requests.'],
    ['10,000 values', { a: list(6, list(2_000)) }, 'The body has more than 10,000 values. Send several requests.'],
    [
      '33 levels',
      JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`),
      'The body is nested more than 32 levels deep.',
    ],
    ['a long name', { ['x'.repeat(201)]: 1 }, 'The body has a field whose name is longer than 200 characters.'],
  ])('%s', async (_label, fields, error) => {
    const { status, body } = await program.post('/affiliates', { email: `large-${Math.random()}@b.co`, ...fields })
    expect([status, body]).toEqual([400, { error }])
  })

  it('but not brackets, commas and colons in a text', async () => {
    const text = `${'[{"\\,:'.repeat(20_000)}`
    const email = `brackets-${Math.random()}@b.co`
    expect((await program.post('/affiliates', { email, ignored: text, more: list(2_000) })).status).toBe(201)
  })
})

it.each([
  ['GET', (sent: string) => `/affiliates/${sent}`],
  ['GET', (sent: string) => `/affiliates?state=${sent}&page=${sent}&limit=${sent}`],
  ['GET', (sent: string) => `/exports/affiliates?where={"${sent}":1}&format=${sent}`],
  ['GET', (sent: string) => `/exports/affiliates?where={"state":{"equals":"${sent}"}}`],
  ['GET', (sent: string) => `/${sent}`],
  ['POST', () => '/affiliates'],
  ['POST', () => '/conversions'],
  ['POST', () => '/campaigns'],
])('an error repeats at most 100 characters of what was sent: %s %s', async (method, path) => {
  const sent = 'q'.repeat(4_000)
  const names = [
    'email',
    'token',
    'url',
    'name',
    'campaign_id',
    'coupon',
    'amount_cents',
    'affiliate_id',
    sent.slice(0, 150),
  ]
  const fields = Object.fromEntries(names.map((name) => [name, sent]))
  for (const body of [JSON.stringify(fields), `{"email":"${sent}`, sent]) {
    const init = method === 'GET' ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    const answer = await program.send(path(sent), { method, ...init })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body).match(/q+/g)?.join('').length ?? 0).toBeLessThanOrEqual(100)
  }
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
