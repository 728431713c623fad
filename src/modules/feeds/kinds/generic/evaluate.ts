import { type Json, Unusable } from '../json.ts'
import { Stopped } from './stopped.ts'

/** The process and its program are loaded when the first mapping is used. */
const turns = () => import('./turns.ts')

/** Why an expression is no mapping, or null. @throws BudgetUsed */
export async function problemOfMapping(programId: string, mapping: string): Promise<string | null> {
  const answer = await (await turns()).evaluateInTurn(programId, { mapping })
  if ('problem' in answer) return answer.problem
  return 'ended' in answer ? answer.ended : null
}

/** The value of an expression for an event, as plain JSON. @throws Unusable; BudgetUsed */
export async function evaluate(programId: string, mapping: string, body: Json): Promise<unknown> {
  const answer = await (await turns()).evaluateInTurn(programId, { mapping, body })
  if ('ended' in answer) throw new Stopped(answer.ended)
  if ('problem' in answer) throw new Unusable(answer.problem)
  return JSON.parse(answer.text)
}
