import { PayoutMethod } from '../../generated/prisma/enums.ts'
import type { Address } from './address.ts'
import { paypalAddress } from './paypal/address.ts'
import { sepaAddress, sepaPayer } from './sepa/address.ts'
import { wiseAddress } from './wise/address.ts'

export const payoutMethods = Object.values(PayoutMethod) as [PayoutMethod, ...PayoutMethod[]]

/** Where methods pay affiliates. Null: it is agreed elsewhere, or a person sees to it. */
export const addresses = {
  paypal: paypalAddress,
  wise: wiseAddress,
  sepa: sepaAddress,
  generic: null,
  manual: null,
} as const satisfies Record<PayoutMethod, Address | null>

type Addresses = typeof addresses
export type AddressedMethod = { [M in PayoutMethod]: Addresses[M] extends null ? never : M }[PayoutMethod]

/** The methods that have an address of each affiliate, in the order in which they are offered. */
export const addressedMethods = payoutMethods.filter((method): method is AddressedMethod => addresses[method] !== null)

type PaidEmail = Extract<Addresses[AddressedMethod], { isEmail: true }>['paid']

/** The fields with the e-mails that are paid. */
export const paidEmails = addressedMethods
  .filter((method) => addresses[method].isEmail)
  .map((method) => addresses[method].paid as PaidEmail)

/** The fields of all addresses. */
export const addressFields = Object.assign({}, paypalAddress.fields, wiseAddress.fields, sepaAddress.fields)
export type AddressFieldName = keyof typeof addressFields
export const addressFieldNames = Object.keys(addressFields) as AddressFieldName[]

/** The fields of programs that methods need, such as the account that is paid from. */
export const payerFields = sepaPayer
