import { basePath } from '../address.ts'
import { texts } from '../texts.ts'

/** Why a request below `/dashboard` failed. The message is for people. */
export class PostError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** By field. */
    readonly problems: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }
}

/** Sends JSON to an endpoint below `/dashboard`, with the session's cookie. @throws PostError */
export const post = <Result>(path: string, body: object): Promise<Result> => send<Result>(path, 'POST', body)

/** @throws PostError */
export const get = <Result>(path: string): Promise<Result> => send<Result>(path, 'GET')

type Rejection = { code?: string; message?: string; error?: string; problems?: { field?: string; message: string }[] }

async function send<Result>(path: string, method: string, body?: object): Promise<Result> {
  const response = await fetch(`${basePath}/${path}`, {
    method,
    credentials: 'same-origin',
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new PostError(0, 'UNREACHABLE', texts.failures.unreachable)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Result
  const { code = '', message, error, problems = [] } = (answer ?? {}) as Rejection
  const byField = Object.fromEntries(problems.flatMap(({ field, message }) => (field ? [[field, message]] : [])))
  throw new PostError(response.status, code, message ?? error ?? messageOf(response.status), byField)
}

const messageOf = (status: number) =>
  status === 429 ? texts.failures.tooMany : status >= 500 ? texts.failures.unreachable : texts.failures.rejected
