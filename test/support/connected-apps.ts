import { createHash, randomBytes } from 'node:crypto'
import type { TestApp } from './app.ts'
import type { TestBrowser } from './people.ts'

export const redirectUri = 'http://127.0.0.1:7777/callback'

type Form = Record<string, string>

/** An application that asks for tokens, by hand: each request can be made wrong. */
export function createClient({ app, origin }: Pick<TestApp, 'app' | 'origin'>) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const post = async (path: string, type: string, body: string) => {
    const headers = { 'Content-Type': type }
    const response = await app.fetch(new Request(`${origin}${path}`, { method: 'POST', headers, body }))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  const postForm = (path: string, form: Form) =>
    post(path, 'application/x-www-form-urlencoded', new URLSearchParams(form).toString())
  const register = (metadata: object) => post('/oauth/register', 'application/json', JSON.stringify(metadata))

  /** What the address of the consent page has after `?`. */
  const asks = (clientId: string, more: Form = {}): Form => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope: 'read propose',
    state: 'state-of-the-client',
    resource: `${origin}/mcp`,
    ...more,
  })

  const exchange = (clientId: string, code: string, more: Form = {}) =>
    postForm('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
      resource: `${origin}/mcp`,
      ...more,
    })

  const renew = (clientId: string, refreshToken: string, more: Form = {}) =>
    postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
      ...more,
    })

  const registered = async (name = 'Test assistant'): Promise<string> =>
    (await register({ client_name: name, redirect_uris: [redirectUri] })).body.client_id

  /** A person allows it in the dashboard. Returns the code. */
  async function consent(person: TestBrowser, programId: string, asked: Form, canPropose = true): Promise<string> {
    const { body } = await person.post('/connect', { ...asked, programId, canPropose, isAllowed: true })
    return new URL(body.redirectTo).searchParams.get('code') ?? ''
  }

  /** All steps at once. */
  async function connectAs(person: TestBrowser, programId: string, { canPropose = true } = {}) {
    const clientId = await registered()
    const code = await consent(person, programId, asks(clientId), canPropose)
    const { body } = await exchange(clientId, code)
    return { clientId, code, accessToken: body.access_token as string, refreshToken: body.refresh_token as string }
  }

  return { register, registered, asks, consent, exchange, renew, connectAs, postForm }
}
