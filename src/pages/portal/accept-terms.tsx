import { AcceptTermsDocument } from '../../generated/portal/graphql.ts'
import { formatDate } from '../parts/locale.ts'
import { SaveForm } from './fields.tsx'
import { texts } from './texts.ts'
import { useSave } from './use-save.ts'

type TermsProps = {
  terms: { version: number; text: string; requiredFrom?: string | null }
  onChanged(): void
}

/** Asks for the terms that the affiliate has not accepted yet. */
export function TermsToAccept({ terms, onChanged }: TermsProps) {
  const words = texts.terms
  const { version, text, requiredFrom } = terms
  const saving = useSave(
    AcceptTermsDocument,
    () => ({ version }),
    () => {
      onChanged()
      return texts.forms.saved
    },
  )
  return (
    <section aria-labelledby="new-terms">
      <h2 id="new-terms">{words.title(version)}</h2>
      <p>{words.text}</p>
      {requiredFrom && <p>{words.required(formatDate(requiredFrom))}</p>}
      <SaveForm saving={saving} action={words.accept}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <section className="terms-text" aria-label={words.region} tabIndex={0}>
          {text}
        </section>
      </SaveForm>
    </section>
  )
}
