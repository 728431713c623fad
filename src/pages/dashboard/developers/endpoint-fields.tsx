import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { EventWhere } from '../../../generated/dashboard/developers/graphql.ts'
import { eventTypes } from '../../../modules/events/types.ts'
import { checkInput } from '../form/check-input.ts'
import { CheckGroup, TextField } from '../form/fields.tsx'
import type { Check } from '../form/use-fields.ts'
import { texts } from '../texts.ts'

const words = texts.developers.webhooks

export type EndpointFields = { url: string; description: string; eventTypes: string[]; where: string }

/** The values as the service takes them: the condition is typed as JSON. @throws SyntaxError */
export const inputOf = <Values extends EndpointFields>({ where, ...rest }: Values) => ({
  ...rest,
  where: where.trim() === '' ? null : (JSON.parse(where) as EventWhere),
})

/** Checks the values of a form with the schema that the service checks them with. */
export const checkEndpoint =
  <Values extends EndpointFields>(schema: z.ZodObject): Check<Values> =>
  (values) => {
    const check = checkInput<object>(schema)
    try {
      return check(inputOf(values))
    } catch {
      return { ...check({ ...values, where: null }), where: words.conditionNotJson }
    }
  }

const typeOptions = eventTypes.map((type) => ({ value: type, name: type }))

/** What can also be changed later. */
export function EndpointInputs<Values extends EndpointFields>({ form }: { form: UseFormReturn<Values> }) {
  // The form may have more fields than these.
  const plain = form as unknown as UseFormReturn<EndpointFields>
  return (
    <>
      <TextField form={plain} name="url" label={words.url} type="url" placeholder="https://" hint={words.urlHint} />
      <TextField form={plain} name="description" label={words.description} hint={words.descriptionHint} />
      <CheckGroup form={plain} name="eventTypes" legend={words.events} hint={words.eventsHint} options={typeOptions} />
      <TextField form={plain} name="where" label={words.condition} hint={words.conditionHint} />
    </>
  )
}
