import { text } from '../../kernel/input/fields.ts'
import { withWire } from '../../kernel/input/wire.ts'

/** A language tag of BCP 47 in its canonical form. The languages are those that the runtime can format in. */
export const locale = () =>
  withWire(
    text(64).transform((tag, context) => {
      const canonical = canonicalOf(tag)
      if (canonical !== null) return canonical
      context.addIssue({ code: 'custom', message: 'is not a language tag such as en-US or de-DE' })
      return ''
    }),
    { type: 'string', maxLength: 64, example: 'de-DE' },
  )

function canonicalOf(tag: string): string | null {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? null
  } catch {
    return null
  }
}
