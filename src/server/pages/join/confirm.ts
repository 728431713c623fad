import { type Answer, jsonAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import type { Incoming } from '../../../http/incoming.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { confirmApplication, programOfApplication } from '../../../modules/applications/confirm.ts'
import { readBrand } from '../../../modules/mails/compose.ts'
import { colorPath } from '../brand.ts'
import { maxBodyBytes } from './form-body.ts'

const notStored = { 'Cache-Control': 'no-store' }

/** `POST /join/confirm`: confirms the e-mail of an application. @throws UNSUPPORTED_MEDIA_TYPE; NOT_FOUND */
export async function confirm(incoming: Incoming, ctx: Parameters<typeof confirmApplication>[0]): Promise<Answer> {
  // Pages of other origins can send this type only after a preflight request, which is rejected.
  if (!/^application\/json\b/i.test(incoming.header('content-type') ?? ''))
    throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  const { token } = readFields(await incoming.body(maxBodyBytes), 'application/json')
  return jsonAnswer({ application: await confirmApplication(ctx, token) }, 200, notStored)
}

/**
 * `POST /join/confirm/program`: the name and colour that the page of the link shows. Not the logo: the page is the same
 * for all programs, so it would have to allow images of every origin. @throws NOT_FOUND
 */
export async function showProgram(incoming: Incoming, db: AppDb, ownSlug?: string): Promise<Answer> {
  const { token } = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
  const { id, name } = await programOfApplication(db, token, ownSlug)
  const { color } = await readBrand(db.ofProgram(id), { id })
  return jsonAnswer({ program: { name, color: color && colorPath(color) } }, 200, notStored)
}
