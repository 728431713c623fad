import type { ActorKind } from '../../generated/prisma/enums.ts'
import type { Actor } from '../../kernel/context.ts'

/** The columns that record the actor: its kind, and the id of the key, affiliate or person. */
export const storedActor = (actor: Actor): { actorKind: ActorKind; actorId: string | null } => ({
  actorKind: actor.kind,
  actorId: 'id' in actor ? actor.id : actor.kind === 'affiliate' ? actor.affiliateId : null,
})

/** The actor of stored columns, for what is recorded in its name later. It has no rights. */
export function actorOf({ actorKind: kind, actorId }: { actorKind: ActorKind; actorId: string | null }): Actor {
  const id = actorId ?? ''
  switch (kind) {
    case 'api_key':
      return { kind, id, access: 'read' }
    case 'affiliate':
      return { kind, affiliateId: id }
    case 'person':
      return { kind, id, name: '', isOperator: false, role: null }
    default:
      return { kind }
  }
}
