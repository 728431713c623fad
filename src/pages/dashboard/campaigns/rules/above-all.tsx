import type { UseFormReturn } from 'react-hook-form'
import { texts } from '../../texts.ts'
import type { RuleValues } from './values.ts'

const words = texts.campaigns.rules

/** A reward above the whole sale has to be confirmed. */
export const AboveAll = ({ form }: { form: UseFormReturn<RuleValues> }) => (
  <>
    <label className="check">
      <input type="checkbox" {...form.register('confirmAboveAll')} /> {words.payAboveAll}
    </label>
    {form.formState.errors.confirmAboveAll && <p className="error">{words.confirmAboveAll}</p>}
  </>
)
