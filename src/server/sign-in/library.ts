import type { Incoming } from '../../http/incoming.ts'
import { authEndpoints, authPath, codePage } from '../../modules/people/auth-endpoints.ts'

export function libraryUrl({ method, search }: Incoming, endpoint: string, publicUrl: string): URL {
  const url = new URL(`${publicUrl}${authPath}${endpoint}`)
  if (method !== 'GET') return url
  const searchParams = new URLSearchParams(search)
  for (const name of authEndpoints.get(endpoint)?.fields ?? []) {
    const value = searchParams.get(name)
    if (value !== null) url.searchParams.set(name, value)
  }
  return url
}

/** The answer to a body with a field that is not in the list, or null. */
export function rejectionOf(fields: object, known: readonly string[]): { code: string; message: string } | null {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown === undefined) return null
  const advice = known.length > 0 ? `Send: ${known.join(', ')}.` : 'Send an empty object.'
  return {
    code: 'FIELD_REJECTED',
    message: `The field ${JSON.stringify(unknown.slice(0, 100))} is not known here. ${advice}`,
  }
}

/** If a code is needed, the library answers JSON to a browser of the provider: redirect it to the page. */
export async function redirectToCode(response: Response, publicUrl: string): Promise<Response> {
  const body = await response.clone().text()
  if (body === '' || JSON.parse(body).twoFactorRedirect !== true) return response
  const headers = new Headers({ Location: `${publicUrl}${codePage}` })
  for (const cookie of response.headers.getSetCookie()) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}
