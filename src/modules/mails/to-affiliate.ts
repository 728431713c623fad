import { portalUrl } from '../../kernel/public-url.ts'
import type { WrittenKind } from '../../texts/en/mails.ts'
import { preferencesUrl } from './choices.ts'
import { composeMail, type NewMail, nameInMail } from './compose.ts'
import { kinds } from './kinds/all.ts'
import type { ManagerMail } from './managers.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** What a mail needs of an affiliate. */
export type Addressee = { affiliateId: string; email: string; firstName: string | null; language: string | null }

/**
 * Composes a mail that an affiliate can stop by one click. Its links lead to the portal.
 * @param scope with the address of the pages for affiliates
 * @param as what the outbox says it is about, if that is not `kind`
 */
export function mailToAffiliate(
  { program, publicUrl, key }: ManagerMail,
  kind: WrittenKind,
  row: Addressee,
  values: Readonly<Record<string, string>>,
  as?: NewMail['as'],
): NewMail {
  const { affiliateId, email: to, language } = row
  const programId = program.id
  const { stop: what } = kinds[as ?? kind]
  const stop = what && unsubscribeUrl(publicUrl, key, { programId, addresseeId: affiliateId, what })
  const ownValues = {
    name: nameInMail(row),
    link: portalUrl(publicUrl, program, kinds[as ?? kind].section),
    preferences: preferencesUrl(publicUrl, key, { programId, affiliateId }),
  }
  const mail = composeMail(
    program,
    kind,
    { to, affiliateId, language, unsubscribeUrl: stop },
    Object.assign({}, values, ownValues),
  )
  return { ...mail, ...(as && { as }) }
}
