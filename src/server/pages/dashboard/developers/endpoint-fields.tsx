import type { UseFormReturn } from 'react-hook-form'
import { eventTypes } from '../../../../modules/events/types.ts'
import { CheckGroup, TextField } from '../form/fields.tsx'
import { texts } from '../texts.ts'

const words = texts.developers.webhooks

export type EndpointFields = { url: string; description: string; eventTypes: string[] }

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
    </>
  )
}
