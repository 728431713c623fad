import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { eventOf, objectOf, textOf, timeOf } from '../../call.ts'
import type { HeardNotice, Notice } from '../kind.ts'
import { ofWise, refusedBy, type Wise } from './calls.ts'
import { profileOf } from './profile.ts'
import { readQuote } from './quotes.ts'
import { heardOf, transferOf } from './read.ts'

/** With which Wise signs webhooks. Source: Wise, "Webhooks: event handling", read in November 2026. */
const keys: readonly { host: RegExp; key: string }[] = [
  {
    host: /^https:\/\/api\.(transfer)?wise\.com(\/|$)/,
    key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvO8vXV+JksBzZAY6GhSOXdoTCfhXaaiZ+qAbtaDBiu2AGkGVpmEygFmWP4Li9m5+Ni85BhVvZOodM9epgW3FbA5Q1SexvAF1PPjX4JpMstak/QhAgl1qMSqEevL8cmUeTgcMuVWCJmlge9h7B1CSD4rtlimGZozG39rUBDg6Qt2K+P4wBfLblL0k4C4YUdLnpGYEDIth+i8XsRpFlogxCAFyH9+knYsDbR43UJ9shtc42Ybd40Afihj8KnYKXzchyQ42aC8aZ/h5hyZ28yVyOj3Vos0VdBIs/gAyJ/4yyQFCXYte64I7ssrlbGRaco4nKF3HmaNhxwyKyJafz19eHwIDAQAB',
  },
  {
    host: /^https:\/\/api\.(wise-sandbox\.com|sandbox\.transferwise\.tech)(\/|$)/,
    key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwpb91cEYuyJNQepZAVfPZIlPZfNUefH+n6w9SW3fykqKu938cR7WadQv87oF2VuT+fDt7kqeRziTmPSUhqPUys/V2Q1rlfJuXbE+Gga37t7zwd0egQ+KyOEHQOpcTwKmtZ81ieGHynAQzsn1We3jwt760MsCPJ7GMT141ByQM+yW1Bx+4SG3IGjXWyqOWrcXsxAvIXkpUD/jK/L958CgnZEgz0BSEh0QxYLITnW1lLokSx/dTianWPFEhMC9BgijempgNXHNfcVirg1lPSygz7KqoKUN0oHqWLr2U1A+7kqrl6O2nx3CKs1bj1hToT1+p4kcMoHXA7kA+VBLUpEsVwIDAQAB',
  },
]

function keyFor({ url, credentials }: Wise): KeyObject | null {
  const text = credentials.webhookKey ?? keys.find(({ host }) => host.test(url))?.key
  if (text === undefined) return null
  const der = Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

/** Whether a text is a public key. */
export const isPublicKey = (webhookKey: string): boolean =>
  keyFor({ url: '', now: () => new Date(), credentials: { token: '', webhookKey } }) !== null

/** Checks the signature, and asks for the transfer: the event has Wise's id alone. */
export async function hear(access: Wise, { body, header }: Notice): Promise<HeardNotice | { refusal: string }> {
  const key = keyFor(access)
  if (!key) return { refusal: "Wise's public key is not known for this address: enter `webhookKey`." }
  const signature = header('x-signature-sha256')
  if (signature === null) return { refusal: 'The request has no signature of Wise.' }
  if (!verify('RSA-SHA256', body, key, Buffer.from(signature, 'base64')))
    return { refusal: 'The signature is not of Wise.' }
  const event = eventOf(Buffer.from(body).toString('utf8'))
  if (!event) return { refusal: 'The body is not JSON.' }
  const nothing: HeardNotice = { payments: [], batches: [] }
  const data = objectOf(event.data)
  const resource = objectOf(data.resource)
  const [id, word] = [textOf(resource.id), textOf(data.current_state)]
  if (textOf(event.event_type) !== 'transfers#state-change' || id === null || word === null) return nothing
  const profile = await profileOf(access)
  if (textOf(resource.profile_id) !== profile.id) return nothing
  const reply = await ofWise(access, { method: 'GET', path: `/v1/transfers/${encodeURIComponent(id)}` })
  if (reply.status === 404) return nothing
  if (reply.status >= 300) throw refusedBy(reply)
  const transfer = transferOf(reply.body)
  const price = await readQuote(access, profile, transfer.quoteId)
  const heard = heardOf({ ...transfer, word }, price)
  return { payments: [{ ...heard, at: timeOf(data.occurred_at) }], batches: [] }
}
