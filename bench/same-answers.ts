import { isDeepStrictEqual } from 'node:util'
import type { Request } from './load.ts'
import { numbered } from './numbered.ts'
import type { Scenario } from './scenarios.ts'
import type { Server, ServerName } from './servers.ts'

export type Running = Partial<Record<ServerName, Server>>

/** @throws if a server answers a scenario with other facts than Tributary */
export async function checkAnswers(
  running: Running,
  scenario: Scenario,
  headers: Record<string, string>,
): Promise<void> {
  if (!scenario.facts) return
  const answers = []
  for (const [name, request] of Object.entries(scenario.requests) as [ServerName, Request][]) {
    const server = running[name]
    if (!server) continue
    const answer = await ask(server, request, headers)
    answers.push({ name, facts: scenario.facts[name]?.(answer) ?? answer })
  }
  const [first, ...others] = answers
  for (const { name, facts } of others)
    if (!isDeepStrictEqual(facts, first?.facts))
      throw new Error(
        `${scenario.name}: ${name} answers ${excerpt(facts)}, and ${first?.name} ${excerpt(first?.facts)}`,
      )
}

const excerpt = (value: unknown) => JSON.stringify(value).slice(0, 1_500)

/** @param n the number of the request */
export async function ask({ address }: Server, request: Request, headers: Record<string, string>, n = 0) {
  const { method, modulo } = request
  const path = numbered(request.path, n, modulo)
  const body = request.body && numbered(request.body, n, modulo)
  const response = await fetch(address + path, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address}${path}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as unknown
}
