import { readFields } from '../../http/body.ts'
import type { Incoming } from '../../http/incoming.ts'
import { isJson, isSameOrigin } from '../../http/same-origin.ts'
import { forbidden, invalid, TributaryError } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { isStorable } from '../../kernel/text.ts'

const maxBodyBytes = 16 * 1024

export type Fields = Record<string, unknown>

/** The fields that a page of this service sent. @throws FORBIDDEN; UNSUPPORTED_MEDIA_TYPE; INVALID_INPUT */
export async function readJsonOfPage(incoming: Incoming, publicUrl: string): Promise<Fields> {
  if (!isSameOrigin(incoming, publicUrl))
    throw forbidden(
      'This request does not come from a page of the dashboard. If it does, set PUBLIC_URL to the address that browsers use.',
    )
  if (!isJson(incoming)) throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  const fields = readFields(await incoming.body(maxBodyBytes), 'application/json')
  // The sign-in library compares them with what is stored, which the database rejects.
  const unstorable = Object.keys(fields).filter((name) => {
    const value = fields[name]
    return typeof value === 'string' && !isStorable(value)
  })
  if (unstorable.length > 0)
    throw invalid(unstorable.map((name) => problem(name, 'contains characters that cannot be stored')))
  return fields
}
