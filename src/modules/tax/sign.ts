import { withTransaction } from '../../database/client/transaction.ts'
import type { TaxProfile } from '../../generated/prisma/client.ts'
import type { TaxForm } from '../../generated/prisma/enums.ts'
import { encryptSecret } from '../../kernel/encryption.ts'
import type { Problem } from '../../kernel/errors.ts'
import { parseInput, problem, type Readable, readFields } from '../../kernel/input/parse.ts'
import { storedActor } from '../history/actor.ts'
import { recordAction } from '../history/record.ts'
import { schemaOf } from './form-schema.ts'
import { formFor, forms } from './input/forms.ts'
import { signTaxProfileInput } from './input/profile.ts'
import { readTaxSettings } from './settings.ts'
import { boundTo, decryptTaxId, endingOf, type KeyCtx } from './tax-ids.ts'
import { readVatId } from './vat-ids/read.ts'

type Given = Readable<typeof signTaxProfileInput>
type Known = { payerCountry: string | null; before: TaxProfile | null }

/**
 * Signs the tax profile of an affiliate. It replaces the one before, which stays as it was signed.
 * @throws INVALID_INPUT with every problem, also of the fields of the form
 */
export async function signTaxProfile(ctx: KeyCtx & { affiliateId: string }, raw: unknown): Promise<void> {
  const { program, affiliateId } = ctx
  const programId = program.id
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from affiliates where program_id = ${programId}::uuid and id = ${affiliateId}::uuid for no key update`
    const { payerCountry } = await readTaxSettings(tx, programId)
    const before = await tx.taxProfile.findFirst({ where: { programId, affiliateId, replacedAt: null } })
    const known = { payerCountry, before }
    const input = await parseInput(signTaxProfileInput, raw, (given) => problemsOf(given, known))
    const { taxId, usTaxId, form: _, isUsPerson: __, vatId, isSmallBusiness = false, ...rest } = input
    const form = formOf(input, payerCountry)
    const key = { programId, affiliateId, number: (before?.number ?? 0) + 1 }
    const numbers = { taxId: taxId ?? keptTaxId(ctx, before, input.country, form), usTaxId }
    const stored = (value: string | null | undefined) =>
      value ? encryptSecret(ctx.webhooks.key, boundTo(key), compact(value)) : null
    if (before)
      await tx.taxProfile.update({
        where: { programId_affiliateId_number: { programId, affiliateId, number: before.number } },
        data: { replacedAt: now },
      })
    const { actorKind: signedByKind, actorId: signedById } = storedActor(ctx.actor)
    await tx.taxProfile.create({
      data: {
        ...key,
        ...rest,
        postalCode: rest.postalCode ?? null,
        region: rest.region ?? null,
        vatId: vatId ? readVatId(vatId, rest.country) : null,
        isSmallBusiness,
        taxId: stored(numbers.taxId),
        taxIdEnding: numbers.taxId ? endingOf(compact(numbers.taxId)) : null,
        usTaxId: stored(usTaxId),
        usTaxIdEnding: usTaxId ? endingOf(compact(usTaxId)) : null,
        form,
        formRevision: form && forms[form].revision,
        formFields: form ? (readFields(schemaOf(forms[form]), input.form).readable as object) : {},
        signedAt: now,
        signedByKind,
        signedById,
        expiresAt: form && forms[form].expires ? endOfThirdYear(now) : null,
      },
    })
    const subject = { subject: 'affiliate', subjectId: affiliateId, action: 'tax_profile_signed' } as const
    await recordAction(tx, ctx, subject, null, null, now)
  })
}

const compact = (taxId: string) => taxId.replace(/[\s./-]/g, '').toUpperCase()

/** A form of a foreign payee is valid until the last day of the third year after that of the signature. */
const endOfThirdYear = (signedAt: Date) => new Date(Date.UTC(signedAt.getUTCFullYear() + 4, 0, 1))

function formOf(
  { country, recipientType, isUsPerson = country === 'US' }: Given,
  payerCountry: string | null,
): TaxForm | null {
  return recipientType ? formFor(payerCountry, { recipientType, isUsPerson }) : null
}

/** Whether the number is the same: of the same country, and on a W-9 the number of the United States. */
const isSameTaxId = (before: TaxProfile, country: string | undefined, form: TaxForm | null) =>
  before.country === country && (before.form === 'w9') === (form === 'w9')

/** Portals show numbers masked, so an unchanged one is not sent again. */
const keptTaxId = (ctx: KeyCtx, before: TaxProfile | null, country: string, form: TaxForm | null): string | null =>
  before && isSameTaxId(before, country, form) ? decryptTaxId(ctx.webhooks.key, before, 'taxId') : null

function problemsOf(given: Given, { payerCountry, before }: Known): Problem[] {
  const { country, vatId, taxId, usTaxId, form: fields } = given
  const problems: Problem[] = []
  if (vatId && country && readVatId(vatId, country) === null)
    problems.push(
      problem(
        'vatId',
        `is not a VAT id: compare its letters and digits. An id of another country begins with its letters`,
      ),
    )
  const form = formOf(given, payerCountry)
  if (form === null) {
    if (fields && Object.keys(fields).length > 0)
      problems.push(problem('form', 'is not needed: the payer is not in the United States'))
    return problems
  }
  problems.push(...formProblems(form, fields ?? {}))
  const hasTaxId = taxId !== undefined || (before?.taxIdEnding && isSameTaxId(before, country, form))
  if (!hasTaxId && !(form !== 'w9' && fields?.hasNoForeignTaxId === true))
    problems.push(problem('taxId', `can't be blank on ${nameOf(form)}`, 'blank'))
  if (form === 'w9' && taxId && !isUsTaxId(taxId)) problems.push(problem('taxId', 'must have nine digits on a W-9'))
  if (usTaxId && !isUsTaxId(usTaxId)) problems.push(problem('usTaxId', 'must have nine digits'))
  return problems
}

const nameOf = (form: TaxForm) => forms[form].title.replace(/,.*/, '').replace('Form', 'a Form')

/** An SSN, ITIN or EIN. Which of their prefixes are issued changes, so only the digits are counted. */
const isUsTaxId = (taxId: string) => /^\d{9}$/.test(compact(taxId))

function formProblems(name: TaxForm, given: Record<string, unknown>): Problem[] {
  const form = forms[name]
  const unknown = Object.keys(given).filter((field) => !form.fields[field])
  const { problems } = readFields(schemaOf(form), given)
  return [
    ...problems.map(({ field = '', message, ...rest }) => ({
      ...rest,
      field: `form.${field}`,
      path: ['form', field],
      message,
    })),
    ...unknown.map((field) => ({
      field: 'form',
      path: ['form'],
      message: `${form.title.replace(/,.*/, '')} has no field "${field.slice(0, 50)}". Its fields are ${Object.keys(form.fields).join(', ')}.`,
    })),
  ]
}
