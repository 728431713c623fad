type Kind =
  | { kind: 'text'; length?: number }
  | { kind: 'choice'; options: Readonly<Record<string, string>> }
  | { kind: 'flag' | 'date' | 'country' | 'percent' }

/** A field of a form. `line` and `label` are those of the paper. */
export type FormField = { line: string; label: string; isRequired?: true } & Kind

/** A form of the IRS, in its own words. Name, address and numbers are those of the tax profile, and no fields here. */
export type Form = {
  title: string
  /** Which edition of the paper it follows. */
  revision: string
  /** Where the paper is. */
  source: string
  fields: Readonly<Record<string, FormField>>
  /** What is signed under penalties of perjury. */
  certification: string
  /** Whether it ends with the third calendar year after the signature. */
  expires: boolean
}
