import type { ActorKind } from '../../generated/prisma/enums.ts'
import type { Actor } from '../../kernel/context.ts'

/** Whoever did something, as history keeps it: with the key that was used, or the affiliate whose token it was. */
export const storedActor = (actor: Actor): { actorKind: ActorKind; actorId: string | null } => ({
  actorKind: actor.kind,
  actorId: actor.kind === 'api_key' ? actor.id : actor.kind === 'affiliate' ? actor.affiliateId : null,
})
