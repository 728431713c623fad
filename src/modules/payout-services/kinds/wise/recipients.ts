import { type Json, listOf, textOf } from '../../call.ts'
import { ServiceProblem } from '../../problem.ts'
import type { PaymentToSend } from '../kind.ts'
import { elementsOf, ofWise, refusedBy, taken, type Wise, wordsOf } from './calls.ts'
import type { Profile } from './profile.ts'

/** A field that Wise wants to know of a recipient. */
type Field = { key: string; name: string; isRequired: boolean }

/** The fields of recipients by e-mail, as Wise asks for them at this moment. @throws ServiceProblem */
export async function fieldsOfRecipients(access: Wise, source: string, target: string): Promise<Field[]> {
  const query = new URLSearchParams({ source: source.toUpperCase(), target: target.toUpperCase(), sourceAmount: '100' })
  const forms = elementsOf(await taken(access, { method: 'GET', path: `/v1/account-requirements?${query}` }))
  const form = forms.find(({ type }) => textOf(type) === 'email')
  if (!form)
    throw new ServiceProblem(
      'refused',
      `Wise has no recipients by e-mail for ${target.toUpperCase()}. Cancel the run, and pay the file of another one.`,
    )
  return listOf(form.fields).flatMap(({ group }) =>
    listOf(group).map((one) => {
      const key = textOf(one.key) ?? ''
      return { key, name: textOf(one.name) ?? key, isRequired: one.required === true }
    }),
  )
}

/** Creates the recipient of a payment at Wise. @returns its id, or why Wise refuses it @throws ServiceProblem */
export async function createRecipient(
  access: Wise,
  profile: Profile,
  fields: readonly Field[],
  { recipient, name, isBusiness, currency }: PaymentToSend,
): Promise<{ id: string } | { reason: string }> {
  const known: Readonly<Record<string, string>> = {
    email: recipient,
    accountHolderName: name,
    legalType: isBusiness ? 'BUSINESS' : 'PRIVATE',
  }
  const missing = fields.filter(({ key, isRequired }) => isRequired && !Object.hasOwn(known, key))
  if (missing.length > 0) {
    const names = missing.map((one) => one.name).join(', ')
    return {
      reason: `Wise asks for more of the payee than is known here: ${names}. Pay the file of the next run instead.`,
    }
  }
  const details: Json = Object.fromEntries(
    fields.flatMap(({ key }) => (key !== 'accountHolderName' && known[key] ? [[key, known[key]]] : [])),
  )
  const reply = await ofWise(access, {
    method: 'POST',
    path: '/v1/accounts',
    body: JSON.stringify({
      profile: Number(profile.id),
      currency: currency.toUpperCase(),
      type: 'email',
      accountHolderName: name,
      details: { email: recipient, ...details },
    }),
  })
  const id = textOf(reply.body.id)
  if (reply.status < 300 && id !== null) return { id }
  if (reply.status === 403) throw refusedBy(reply)
  return { reason: wordsOf(reply.body) || `Wise refuses the payee: status ${reply.status}.` }
}
