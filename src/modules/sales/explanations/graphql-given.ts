import type { Commission, MoneyEvent } from '../../../generated/prisma/client.ts'
import { batched } from '../../../graphql/batch.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { leadRuleNames } from '../../rules/lead-names.ts'
import type { Explanation } from './explain.ts'
import { explainGiven, explainLead } from './explain-given.ts'

/** Reads who gave a bonus or correction, and what happened to it. */
export async function explainedGiven(ctx: GraphQLContext, commission: Commission): Promise<Explanation> {
  const facts = await factsOf(ctx, commission)
  if (commission.kind === 'lead') return explainLead(commission, facts, await nameOfRule(ctx, commission))
  const first = facts.find(({ kind }) => kind === 'earned')
  return explainGiven(commission, facts, first ? await nameOf(ctx, first) : 'the service')
}

const factsOf = (ctx: GraphQLContext, { programId, id }: Commission): Promise<MoneyEvent[]> =>
  batched(ctx, `facts of given ${programId}`, id, async (ids) => {
    const where = { programId, commissionId: { in: [...ids] } }
    const facts = await ctx.db.moneyEvent.findMany({ where, orderBy: { id: 'asc' } })
    return ids.map((of) => facts.filter(({ commissionId }) => commissionId === of))
  })

/** The name that the rule of a lead had when the lead was rewarded. */
const nameOfRule = (ctx: GraphQLContext, { programId, id }: Commission): Promise<string> =>
  batched(ctx, `rules of leads ${programId}`, id, (ids) => leadRuleNames(programScope(ctx), ids))

/** The present name of the person or the API key. */
async function nameOf(ctx: GraphQLContext, { programId, actorKind, actorId: id }: MoneyEvent): Promise<string> {
  if (actorKind === 'person' && id)
    return (await ctx.db.person.findUnique({ where: { id } }))?.name ?? 'a person who was removed'
  if (actorKind !== 'api_key' || !id) return 'an operator'
  const key = await ctx.db.apiKey.findUnique({ where: { programId_id: { programId, id } } })
  return `the API key ${key?.name ?? id}`
}
