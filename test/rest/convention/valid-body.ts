import { expect } from 'vitest'
import type { z } from 'zod'
import type { Answer } from '../../support/app.ts'

/** Checks a response's status, and its body against a schema. Failures show `what` and the paths of the problems. */
export async function validBody<T extends z.ZodType>(
  what: string,
  response: Promise<Answer> | Answer,
  status: number,
  schema: T,
): Promise<z.output<T>> {
  const { status: actualStatus, body } = await response
  const problems =
    schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  expect({ what, status: actualStatus, problems }).toEqual({ what, status, problems: [] })
  return body
}
