import type { Incoming } from '../../http/incoming.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { forbidden, unauthenticated } from '../../kernel/errors.ts'
import type { RequestState } from '../handler.ts'
import type { Identity } from './authenticate.ts'

/** Where a request comes from, and where it goes. */
export type Place = Pick<RequestState, 'ownSlug'> & { isPortalPage: boolean }

/** @param origins those of the pages on other origins that may call GraphQL, with affiliate tokens */
export const placeOf = (
  incoming: Pick<Incoming, 'header'>,
  { ownSlug }: RequestState,
  { portalOrigins, publicUrl }: { portalOrigins: readonly string[]; publicUrl: () => string },
): Place => ({
  ownSlug,
  isPortalPage:
    portalOrigins.length > 0 &&
    portalOrigins.includes(incoming.header('origin') ?? '') &&
    !isSameOrigin(incoming, publicUrl()),
})

/** Whether each caller may be there. */
export const isAnyPlace = ({ ownSlug, isPortalPage }: Place): boolean => ownSlug === undefined && !isPortalPage

/**
 * A program's own host is for that program alone, and a page on another origin for affiliate tokens alone.
 * @throws UNAUTHENTICATED, as if the key were unknown there; FORBIDDEN for a secret in a page
 */
export function demandPlace({ actor, program }: Identity, { ownSlug, isPortalPage }: Place): void {
  if (isPortalPage && actor.kind !== 'affiliate')
    throw forbidden(
      'A secret key must not be in a page, where everybody can read it. Revoke it, and use affiliate tokens there: see createAffiliateToken.',
    )
  if (ownSlug === undefined) return
  if (actor.kind === 'operator' || program?.slug !== ownSlug) throw unauthenticated()
}
