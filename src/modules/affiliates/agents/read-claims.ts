import type { z } from 'zod'
import type { Program } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { problem, readFields } from '../../../kernel/input/parse.ts'
import { agentClaimInput } from './input.ts'

/** What the checkout of an agent says about who sent the customer. A value is the token of a link, a code or an id. */
export type AgentClaim = { values: readonly string[]; expiresAt: Date | null }

type Claim = z.output<typeof agentClaimInput>

const field = 'affiliateAttribution'

function order({ touchpoint = '' }: Claim): number {
  const name = touchpoint.trim().toLowerCase()
  return name === 'last' ? 0 : name === 'first' ? 2 : 1
}

/** A claim is handed on as the protocol has it, also by a feed and by REST, which renames the fields of lists only. */
function withOwnNames(raw: unknown): unknown {
  if (raw === null || typeof raw !== 'object') return raw
  const { publisher_id: publisherId, expires_at: expiresAt, ...named } = raw as Record<string, unknown>
  return { publisherId, expiresAt, ...named }
}

/**
 * What agents say that the program uses: the last touch before the first. A claim that cannot be used is no error of
 * the sale: no checkout may fail by it.
 */
export function readClaims(
  raws: readonly unknown[] | undefined,
  { agentProvider }: Pick<Program, 'agentProvider'>,
): { claims: AgentClaim[] | undefined; problems: Problem[] } {
  const problems: Problem[] = []
  const leaveOut = (why: string) => void problems.push(problem(field, why))
  if (raws?.length && agentProvider === null) {
    leaveOut('is not used by this program: it has no `agentProvider`')
    return { claims: undefined, problems }
  }
  const claims = (raws ?? []).flatMap((raw): Claim[] => {
    const { readable, problems: own } = readFields(agentClaimInput, withOwnNames(raw))
    const claim = readable as Claim
    if (own.length > 0) leaveOut(`is not readable: ${own.map(({ message }) => message).join('; ')}`)
    else if (claim.provider.trim().toLowerCase() !== agentProvider) leaveOut('is of another provider')
    else if (!claim.token && !claim.publisherId) leaveOut('needs a token or a publisher id')
    else return [claim]
    return []
  })
  const usable = claims.sort((a, b) => order(a) - order(b))
  const named = usable.map(({ token, publisherId, expiresAt = null }) => {
    return { values: [token, publisherId].filter((value) => value !== undefined), expiresAt }
  })
  return { claims: named.length > 0 ? named : undefined, problems }
}
