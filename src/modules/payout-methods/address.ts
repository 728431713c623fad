/** The fields of affiliates that say where they are paid. */
export type AddressFieldName = 'paypalEmail' | 'wiseEmail' | 'iban' | 'bic' | 'stripeAccount'

/** What such a field is. */
export type AddressField = {
  /** What it is, as GraphQL describes it: "Null if not set." follows. */
  description: string
  /** What it is, as the program enters it. */
  input: string
  /** What it is, as affiliates enter it themselves. */
  ownInput: string
  /** What messages call it, if its name in words is not what people say. */
  label?: string
  /** Other names of its column in a CSV file of affiliates, in small letters without spaces and signs. */
  columns: readonly string[]
}

/** Where a method pays affiliates. It is data: the portal has it too. */
export type Address = {
  /** What people call the service. */
  service: string
  /** The field whose value is paid, and recorded as the recipient. */
  paid: AddressFieldName
  /** Whether that is an e-mail. A change of it is announced there too. */
  isEmail: boolean
  /** Whether the service's own page asks for it, so that affiliates do not type it. */
  isHosted?: true
  /** All fields of the address. They are entered, trusted and restored together. */
  fields: { readonly [name in AddressFieldName]?: AddressField }
}
