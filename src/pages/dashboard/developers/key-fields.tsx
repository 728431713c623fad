import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { ApiKeyProfile, ApiKeyWords } from '../../../generated/dashboard/developers/graphql.ts'
import { SelectField } from '../form/fields.tsx'
import { texts } from '../texts.ts'

const words = texts.developers.keys

/** How REST responds to a key. */
export type ResponseFields = { name: string; profile: ApiKeyProfile; words: ApiKeyWords }

const optionsOf = <Value extends string>(names: Record<Value, string>) =>
  (Object.entries(names) as [Value, string][]).map(([value, name]) => ({ value, name }))

export const accessOptions = optionsOf(words.accesses)

/** The words of the convention need its fields, so they can be chosen only with them. */
export function ResponseSelects<Values extends ResponseFields>({ form }: { form: UseFormReturn<Values> }) {
  // The form may have more fields than these.
  const plain = form as unknown as UseFormReturn<ResponseFields>
  const profile = useWatch({ control: plain.control, name: 'profile' })
  return (
    <>
      <SelectField
        form={plain}
        name="profile"
        label={words.profile}
        hint={words.profileHint}
        options={optionsOf(words.profiles)}
      />
      {profile === 'SUPERSET' && (
        <SelectField
          form={plain}
          name="words"
          label={words.words}
          hint={words.wordsHint}
          options={optionsOf(words.wordings)}
        />
      )}
    </>
  )
}

/** The fields without words that the profile does not allow. */
export const consistent = <Values extends ResponseFields>(values: Values): Values =>
  values.profile === 'CONTRACT' ? { ...values, words: 'CONTRACT' } : values
