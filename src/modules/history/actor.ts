import type { ActorKind } from '../../generated/prisma/enums.ts'
import type { Actor } from '../../kernel/context.ts'

/** The columns that record who acted: the kind, and the id of the API key or of the affiliate whose token was used. */
export const storedActor = (actor: Actor): { actorKind: ActorKind; actorId: string | null } => ({
  actorKind: actor.kind,
  actorId: actor.kind === 'api_key' ? actor.id : actor.kind === 'affiliate' ? actor.affiliateId : null,
})
