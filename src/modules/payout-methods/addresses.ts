import { PayoutMethod } from '../../generated/prisma/enums.ts'
import type { Address, AddressField, AddressFieldName } from './address.ts'
import { paypalAddress } from './paypal/address.ts'
import { sepaAddress, sepaPayer } from './sepa/address.ts'
import { stripeAddress } from './stripe/address.ts'
import { wiseAddress } from './wise/address.ts'

export const payoutMethods = Object.values(PayoutMethod) as [PayoutMethod, ...PayoutMethod[]]

/** Where methods pay affiliates. Null: it is agreed elsewhere, or a person sees to it. */
export const addresses: Readonly<Record<PayoutMethod, Address | null>> = {
  paypal: paypalAddress,
  wise: wiseAddress,
  sepa: sepaAddress,
  stripe: stripeAddress,
  generic: null,
  manual: null,
}

/** The methods that have an address of each affiliate, with it, in the order in which they are offered. */
export const addressedMethods = payoutMethods.flatMap((method) => {
  const address = addresses[method]
  return address ? [{ method, ...address }] : []
})

/** The fields with the e-mails that are paid. */
export const paidEmails = addressedMethods.filter(({ isEmail }) => isEmail).map(({ paid }) => paid)

/** The fields that affiliates type. Those of others come from the page of the service. */
export const typedFieldNames = addressedMethods
  .filter(({ isHosted }) => !isHosted)
  .flatMap(({ fields }) => Object.keys(fields) as AddressFieldName[])

/** The fields of all addresses. */
export const addressFields = Object.assign({}, ...addressedMethods.map(({ fields }) => fields)) as Readonly<
  Record<AddressFieldName, AddressField>
>
export const addressFieldNames = Object.keys(addressFields) as AddressFieldName[]

/** The fields of programs that methods need, such as the account that is paid from. */
export const payerFields = sepaPayer
