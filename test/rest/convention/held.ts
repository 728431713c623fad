import { expect } from 'vitest'
import type { z } from 'zod'
import type { Answer } from '../../support/app.ts'

/** The body of an answer, which has to be this status and to pass this schema; what does not is named by its path. */
export async function held<T extends z.ZodType>(
  what: string,
  answer: Promise<Answer> | Answer,
  status: number,
  schema: T,
): Promise<z.output<T>> {
  const { status: answered, body } = await answer
  const problems =
    schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  expect({ what, status: answered, problems }).toEqual({ what, status, problems: [] })
  return body
}
