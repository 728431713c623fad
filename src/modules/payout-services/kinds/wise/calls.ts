import { type Call, call, type Json, listOf, type Reply, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { Access } from '../kind.ts'

export type Credentials = {
  token: string
  profileId?: string | undefined
  balanceCurrency?: string | undefined
  webhookKey?: string | undefined
}
export type Wise = Access<Credentials>

/** Wise limits calls, and does not say where. So it begins with few. */
const rate = { calls: 20, seconds: 1, mostCalls: 380 }

type Request = Pick<Call, 'method'> & { path: string; body?: string }

export const ofWise = ({ url, credentials }: Wise, { method, path, body }: Request): Promise<Reply> =>
  call({
    service: 'Wise',
    rate,
    method,
    url: `${url}${path}`,
    headers: {
      authorization: `Bearer ${credentials.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })

/** "email: Please enter a valid email address." */
export function wordsOf(body: Json): string {
  const errors = listOf(body.errors).flatMap(({ message, path, code }) => {
    const what = textOf(message) ?? textOf(code)
    return what === null ? [] : [path ? `${textOf(path)}: ${what}` : what]
  })
  const whole = textOf(body.message) ?? textOf(body.error_description) ?? textOf(body.detail) ?? textOf(body.error)
  return errors.length > 0 ? errors.join(' ') : (whole ?? '')
}

export const refusedBy = ({ body, status }: Reply) =>
  new ServiceProblem(
    status === 403 ? 'unauthorized' : 'refused',
    status === 403
      ? `Wise does not allow it for this token: ${wordsOf(body) || 'status 403'}. Make a token with full access, and allow the address of this server.`
      : `Wise refuses it: ${wordsOf(body) || `status ${status}`}`,
    { body },
  )

/** @returns what Wise answers @throws ServiceProblem if it refuses */
export async function taken(access: Wise, request: Request): Promise<Json> {
  const reply = await ofWise(access, request)
  if (reply.status >= 300) throw refusedBy(reply)
  return reply.body
}

/** The elements of an answer that is a list. */
export const elementsOf = ({ list }: Json): Json[] => listOf(list)
