import type { Operations as Contract } from '../generated/contract.ts'
import type { Operations as Superset } from '../generated/superset.ts'
import { TributaryError } from './error.ts'

export type * as contract from '../generated/contract.ts'
export type * as superset from '../generated/superset.ts'
export { TributaryError }

/** Which fields REST responds with: those of the contract, or also the wider convention's. It is a setting of the key. */
export type Profile = 'contract' | 'superset'

type OperationsOf<P extends Profile> = P extends 'superset' ? Superset : Contract
type Operation = { args: object; response: unknown }

/** Settings of one request. Equal requests with one `idempotencyKey` are executed once. */
export type RequestOptions = { idempotencyKey?: string; signal?: AbortSignal }

type Arguments<O extends Operation> =
  Record<never, never> extends O['args'] ? [args?: O['args'] & RequestOptions] : [args: O['args'] & RequestOptions]

/** A GraphQL operation with the types of its result and variables, as the client preset of GraphQL Codegen makes them. */
export type Document<Data, Variables> = { __apiType?: (variables: Variables) => Data; toString(): string }

export type ClientOptions<P extends Profile = Profile> = {
  /** The address of the service: `https://partners.acme.com`. */
  url: string
  /**
   * An API key or an affiliate token, or a function that returns one. It is called again, with true, when the service has
   * refused the last one: affiliate tokens expire.
   */
  key: string | ((isRefused: boolean) => string | Promise<string>)
  /** The profile of the key, which decides the types of REST. Default: the contract. */
  profile?: P
  /** For operators: the program, by id or slug. */
  program?: string
  fetch?: typeof fetch
}

export type Client<P extends Profile = 'contract'> = {
  /** Runs an operation of REST: `client.rest('GET /sales/{id}', { path: { id } })`. @throws TributaryError */
  rest<Name extends keyof OperationsOf<P> & string>(
    name: Name,
    ...args: Arguments<OperationsOf<P>[Name] & Operation>
  ): Promise<(OperationsOf<P>[Name] & Operation)['response']>
  /** Runs an operation of GraphQL. @throws TributaryError if it has any error */
  graphql<Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: Document<Data, Variables> | string,
    variables?: Variables,
    options?: Pick<RequestOptions, 'signal'>,
  ): Promise<Data>
}

type AnyArgs = RequestOptions & {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: object
}

export function createClient<P extends Profile = 'contract'>(options: ClientOptions<P>): Client<P> {
  const { url, key, program, fetch: send = fetch } = options

  async function request(address: URL, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const sendWith = (secret: string) =>
      send(address, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${secret}`, ...(program && { 'X-Program-Id': program }) },
      })
    const response = await sendWith(typeof key === 'string' ? key : await key(false))
    if (response.status !== 401 || typeof key === 'string') return response
    await response.body?.cancel()
    return sendWith(await key(true))
  }

  return {
    async rest(name, ...[args = {}]) {
      const { path = {}, query = {}, body, idempotencyKey, signal } = args as AnyArgs
      const [method = 'GET', template = ''] = name.split(' ')
      const filled = template.replace(/\{(\w+)\}/g, (_, field: string) => {
        if (!path[field]) throw new TypeError(`${name} needs path.${field}.`)
        return encodeURIComponent(path[field])
      })
      const address = new URL(`v1${filled}`, withSlash(url))
      for (const [field, value] of Object.entries(query))
        for (const one of Array.isArray(value) ? value : [value])
          if (one !== undefined && one !== null) address.searchParams.append(field, String(one))
      const response = await request(address, {
        method,
        ...(signal && { signal }),
        headers: {
          Accept: 'application/json, */*;q=0.5',
          ...(body && { 'Content-Type': 'application/json' }),
          ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = await read(response)
      if (!response.ok) throw TributaryError.ofRest(response, answer)
      return answer as never
    },

    async graphql(document, variables, { signal } = {}) {
      const response = await request(new URL('graphql', withSlash(url)), {
        method: 'POST',
        ...(signal && { signal }),
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: document.toString(), variables }),
      })
      const answer = await read(response)
      const { data, errors } = (typeof answer === 'object' ? answer : {}) as { data?: never; errors?: unknown[] }
      if (errors || !data) throw TributaryError.ofGraphql(response, errors)
      return data
    },
  }
}

/** The service can be below a path of its host. */
const withSlash = (url: string) => (url.endsWith('/') ? url : `${url}/`)

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('json')) return text === '' ? undefined : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
