import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { connect } from '../../support/assistants.ts'
import { createClient, redirectUri } from '../../support/connected-apps.ts'
import { earner } from '../../support/payout-runs.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()
const olga = await setUpOperator(test)
const client = createClient(test)

let people = 0
/** A program with a manager. */
async function managed(role = 'MANAGER') {
  const program = await test.createProgram()
  people += 1
  const person = await addMember(test, olga, program.id, { email: `person-${people}@acme.test`, role })
  return { program, person }
}

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await test.app.fetch(new Request(`${test.origin}${path}`, { headers }))
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** A message to `/mcp`. */
const send = async (token: string, method = 'ping', params = {}) => {
  const response = await test.app.fetch(
    new Request(`${test.origin}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }),
  )
  return { status: response.status, challenge: response.headers.get('WWW-Authenticate') ?? '' }
}

describe('what a client reads before it asks', () => {
  it('the challenge of a 401 leads to the metadata of the resource, and that to the server', async () => {
    const { status, challenge } = await send('')
    expect(status).toBe(401)
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    expect(challenge).toContain('scope="read propose"')
    const resource = await read(new URL(address).pathname)
    expect(resource.body).toMatchObject({ resource: `${test.origin}/mcp`, authorization_servers: [test.origin] })
    expect((await read('/.well-known/oauth-protected-resource')).body).toEqual(resource.body)
    expect((await read('/.well-known/oauth-authorization-server')).body).toMatchObject({
      issuer: test.origin,
      authorization_endpoint: `${test.origin}/dashboard/connect`,
      token_endpoint: `${test.origin}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    })
    // Keys of GraphQL and REST come from the dashboard alone.
    const { headers } = await read('/v1/affiliates')
    expect(headers.get('WWW-Authenticate')).not.toContain('resource_metadata')
  })

  it('registers a client with its addresses, and none with an address that runs code', async () => {
    const { status, body } = await client.register({ client_name: 'Editor', redirect_uris: ['cursor://x/callback'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ client_name: 'Editor', token_endpoint_auth_method: 'none' })
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'http://evil.test/', 'https://a.test/#x', 'nothing'])
      expect(await client.register({ redirect_uris: [uri] })).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      })
    expect((await client.register({})).status).toBe(400)
  })
})

describe('an application that a person connects', () => {
  it('reads what the person sees in that program, and proposes', async () => {
    const { program, person } = await managed()
    const { commission } = await earner(program)
    const { accessToken } = await client.connectAs(person, program.id)
    const { client: mcp, call } = await connect({ test, secret: accessToken })
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('propose')
    expect(await call('list', { list: 'commissions' })).toMatchObject({ program: program.slug, totalCount: 1 })
    const proposal = { kind: 'VOID', arguments: { ids: [commission.id] }, reason: 'Refunded' }
    expect((await call('propose', proposal)).proposal.state).toBe('OPEN')
    const { proposals } = await program.graphql('{ proposals { nodes { id proposedBy } } }')
    expect(proposals.nodes).toEqual([{ id: expect.any(String), proposedBy: 'Mia Member' }])
    // It acts as a person, and still decides nothing.
    const confirm = `mutation { confirmProposal(input: { id: "${proposals.nodes[0].id}" }) { __typename } }`
    await expect(call('query', { query: confirm })).rejects.toThrow('This tool reads only.')
  })

  it('with the scope read proposes nothing: 403 says which scope it needs', async () => {
    const { program, person } = await managed()
    const { commission } = await earner(program)
    const { accessToken } = await client.connectAs(person, program.id, { canPropose: false })
    const args = { kind: 'VOID', arguments: { ids: [commission.id] }, reason: 'x' }
    const answer = await send(accessToken, 'tools/call', { name: 'propose', arguments: args })
    expect(answer.status).toBe(403)
    expect(answer.challenge).toMatch(/error="insufficient_scope".*scope="read propose"/)
    const clientId = await client.registered()
    const code = await client.consent(person, program.id, client.asks(clientId, { scope: 'read' }))
    const { body } = await client.exchange(clientId, code)
    expect(body.scope).toBe('read')
    expect((await program.graphql('{ proposals { totalCount } }')).proposals.totalCount).toBe(0)
  })

  it('acts in one program alone, also for an operator, and has the role of the person there', async () => {
    const [{ program }, other] = [await managed(), await test.createProgram()]
    const { affiliate } = await earner(other)
    const { accessToken } = await client.connectAs(olga, program.id)
    const { client: mcp, call } = await connect({ test, secret: accessToken, program: other.slug })
    expect((await mcp.listTools()).tools.map(({ name }) => name)).not.toContain('doctor')
    expect(await call('find', { text: affiliate.email })).toMatchObject({ program: program.slug, results: [] })
    const all = await call('query', { query: '{ programs(first: 10) { nodes { slug } } }' }).catch(
      (error: Error) => error.message,
    )
    expect(JSON.stringify(all)).not.toContain(other.slug)
    const { program: own, person: analyst } = await managed('ANALYST')
    const { commission } = await earner(own)
    const reader = await connect({ test, secret: (await client.connectAs(analyst, own.id)).accessToken })
    const args = { kind: 'VOID', arguments: { ids: [commission.id] }, reason: 'x' }
    await expect(reader.call('propose', args)).rejects.toThrow('Your role in this program is analyst')
    const asked = client.asks(await client.registered())
    const refused = await analyst.post('/connect', { ...asked, programId: other.id, isAllowed: true })
    expect([refused.status, refused.body.message]).toEqual([422, 'You have no role in this program.'])
  })

  it('has tokens for /mcp alone: GraphQL and REST refuse them, and /mcp those of another resource', async () => {
    const { program, person } = await managed()
    const { accessToken } = await client.connectAs(person, program.id)
    const headers = { Authorization: `Bearer ${accessToken}` }
    expect((await read('/v1/affiliates', headers)).status).toBe(401)
    expect((await read('/graphql?query={program{id}}', headers)).status).toBe(401)
    expect((await send(accessToken)).status).toBe(200)
    await test.database.db.connectedApp.updateMany({
      where: { programId: program.id },
      data: { resource: 'https://other.test/mcp' },
    })
    const answer = await send(accessToken)
    expect([answer.status, answer.challenge]).toEqual([401, expect.stringContaining('another resource')])
    const clientId = await client.registered()
    const asked = client.asks(clientId, { resource: 'https://other.test/mcp' })
    const { body } = await person.post('/connect/read', asked)
    expect(new URL(body.redirectTo).searchParams.get('error')).toBe('invalid_target')
  })

  it('ends from the next request on: by the person, without a role, and by the application', async () => {
    const { program, person } = await managed()
    const first = await client.connectAs(person, program.id)
    const { body } = await person.post('/apps/read', {})
    expect(body.apps).toMatchObject([{ name: 'Test assistant', host: '127.0.0.1', program: { slug: program.slug } }])
    expect((await olga.post('/apps/end', { id: body.apps[0].id })).status).toBe(404)
    const { call } = await connect({ test, secret: first.accessToken })
    await call('attention')
    expect((await person.post('/apps/end', { id: body.apps[0].id })).status).toBe(200)
    await expect(call('attention')).rejects.toThrow()
    expect((await send(first.accessToken)).status).toBe(401)
    expect((await client.renew(first.clientId, first.refreshToken)).body.error).toBe('invalid_grant')

    const second = await client.connectAs(person, program.id)
    await client.postForm('/oauth/revoke', { token: second.refreshToken })
    expect((await send(second.accessToken)).status).toBe(401)
    expect((await client.postForm('/oauth/revoke', { token: 'unknown' })).status).toBe(200)

    const reset = await client.connectAs(person, program.id)
    const { createPasswordResetLink } = await test.operator(
      `mutation { createPasswordResetLink(input: { email: "person-${people}@acme.test" }) { url } }`,
    )
    const token = createPasswordResetLink.url.split('#token=')[1]
    const answer = await person.post('/password-reset', { token, password: 'quite another long password' })
    expect([answer.status, (await send(reset.accessToken)).status]).toEqual([200, 401])
    await person.post('/auth/sign-in/email', {
      email: `person-${people}@acme.test`,
      password: 'quite another long password',
    })

    const third = await client.connectAs(person, program.id)
    const { viewer } = await person.graphql()('{ viewer { person { id } } }')
    await olga.graphql(program.id)(
      `mutation { removeMember(input: { personId: "${viewer.person.id}" }) { __typename } }`,
    )
    expect((await send(third.accessToken)).status).toBe(401)
    const { installationHistory } = await test.operator('{ installationHistory(first: 20) { nodes { action } } }')
    const actions = installationHistory.nodes.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'APP_ENDED')).toHaveLength(2)
    expect(actions).toContain('APP_CONNECTED')
  })
})

describe('the tokens of a connection', () => {
  it('are renewed in turn: an old access token ends, and an old refresh token ends the connection', async () => {
    const { program, person } = await managed()
    const { clientId, accessToken, refreshToken } = await client.connectAs(person, program.id)
    const next = await client.renew(clientId, refreshToken)
    expect(next).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: 'read propose' } })
    expect(next.headers.get('Cache-Control')).toBe('no-store')
    expect((await send(accessToken)).status).toBe(401)
    expect((await send(next.body.access_token)).status).toBe(200)
    const other = await client.registered('Other')
    expect((await client.renew(other, next.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await client.renew(clientId, refreshToken)).body.error).toBe('invalid_grant')
    expect((await send(next.body.access_token)).status).toBe(401)
    expect((await client.renew(clientId, next.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('end by the clock: the access token after an hour, the connection after 60 days without use', async () => {
    const { program, person } = await managed()
    const { clientId, accessToken, refreshToken } = await client.connectAs(person, program.id)
    test.clock.advanceMinutes(61)
    expect((await send(accessToken)).challenge).toContain('expired')
    const { body } = await client.renew(clientId, refreshToken)
    test.clock.advanceDays(61)
    expect((await client.renew(clientId, body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('are stored as hashes', async () => {
    const { program, person } = await managed()
    const secrets = await client.connectAs(person, program.id)
    const rows = await test.database.db.connectedApp.findMany({ where: { programId: program.id } })
    for (const secret of [secrets.code, secrets.accessToken, secrets.refreshToken])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('a code', () => {
  it('works once: its second use ends the connection', async () => {
    const { program, person } = await managed()
    const { clientId, code, accessToken } = await client.connectAs(person, program.id)
    expect((await client.exchange(clientId, code)).body.error).toBe('invalid_grant')
    expect((await send(accessToken)).status).toBe(401)
  })

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://127.0.0.1:8888/callback' }, 'invalid_grant'],
    ['another client', { client_id: 'somebody-else' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.test/mcp' }, 'invalid_target'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { code: '' }, 'invalid_request'],
  ])('with %s gives no token', async (_name, more, error) => {
    const { program, person } = await managed()
    const clientId = await client.registered()
    const code = await client.consent(person, program.id, client.asks(clientId))
    const answer = await client.exchange(clientId, code, more)
    expect([answer.status, answer.body.error]).toEqual([400, error])
  })

  it('ends after a minute', async () => {
    const { program, person } = await managed()
    const clientId = await client.registered()
    const code = await client.consent(person, program.id, client.asks(clientId))
    test.clock.advanceMinutes(2)
    expect((await client.exchange(clientId, code)).body.error).toBe('invalid_grant')
  })

  it('gives tokens to one of two requests at a time', async () => {
    const { program, person } = await managed()
    const clientId = await client.registered()
    const code = await client.consent(person, program.id, client.asks(clientId))
    const answers = await Promise.all([client.exchange(clientId, code), client.exchange(clientId, code)])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })
})

describe('a request for consent', () => {
  it.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['the plain method of PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
  ])('with %s goes back to the client with an error', async (_name, more, error) => {
    const { body } = await olga.post('/connect/read', client.asks(await client.registered(), more))
    const to = new URL(body.redirectTo)
    expect(to.origin + to.pathname).toBe(redirectUri)
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, state: 'state-of-the-client', iss: test.origin })
  })

  it('of an unknown client, or with an address that is not its own, leads nowhere', async () => {
    const clientId = await client.registered()
    for (const asked of [
      client.asks('unknown'),
      client.asks(`${clientId.slice(0, -3)}abc`),
      client.asks(clientId, { redirect_uri: 'https://evil.test/callback' }),
      client.asks(clientId, { redirect_uri: 'http://127.0.0.1:7777/other' }),
    ]) {
      const answer = await olga.post('/connect/read', asked)
      expect([answer.status, answer.body.redirectTo]).toEqual([422, undefined])
    }
    // An application on the device takes any free port.
    const { body } = await olga.post(
      '/connect/read',
      client.asks(clientId, { redirect_uri: 'http://127.0.0.1:9/callback' }),
    )
    expect(body.goesTo).toEqual({ host: '127.0.0.1', isOnDevice: true })
  })

  it('that the person refuses goes back without a code, and none is made without a session or from another page', async () => {
    const asked = client.asks(await client.registered())
    const { body } = await olga.post('/connect', { ...asked, isAllowed: false })
    const answer = Object.fromEntries(new URL(body.redirectTo).searchParams)
    expect([answer.error, answer.code]).toEqual(['access_denied', undefined])
    const { program } = await managed()
    const allowed = { ...asked, programId: program.id, isAllowed: true }
    const stranger = await olga.post('/connect', allowed, { Cookie: '' })
    expect(stranger.status).toBe(401)
    expect((await olga.post('/connect', allowed, { Origin: 'https://evil.test' })).status).toBe(403)
  })
})
