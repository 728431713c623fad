import type { Incoming } from '../../../http/incoming.ts'
import { requestedLanguage } from '../language.ts'

export const maxBodyBytes = 128 * 1024

/**
 * People do not see this field; programs that fill in every field do. Neither browsers nor password managers know the
 * name, and no field of a program can have it.
 */
export const trapName = 'qz-7f3k'

export const isTrapped = ({ [trapName]: value }: Record<string, unknown>): boolean =>
  typeof value === 'string' && value !== ''

/**
 * `first_name` is `firstName`; fields that no application has are the program's own.
 * @param fields what the program asks
 */
export function inputOf(
  sent: Record<string, unknown>,
  incoming: Incoming,
  fields: readonly { name: string }[],
): Record<string, unknown> {
  // A program can ask for a field with this name.
  const isOwn = fields.some(({ name }) => name === 'language')
  const { language, ...others } = sent
  const given = isOwn ? undefined : language
  const {
    email,
    first_name,
    last_name,
    campaign_id,
    accepts_terms,
    invitation,
    invited_by,
    [trapName]: _,
    ...own
  } = isOwn ? sent : others
  return {
    email,
    firstName: first_name,
    lastName: last_name,
    campaignId: campaign_id,
    acceptsTerms: accepts_terms,
    invitation: invitation || undefined,
    invitedBy: invited_by || undefined,
    language: given ?? requestedLanguage(incoming) ?? undefined,
    fields: Object.entries(own).map(([name, value]) => ({ name, value })),
  }
}
