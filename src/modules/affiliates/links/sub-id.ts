import { text } from '../../../kernel/input/fields.ts'
import { saysCode } from '../../../kernel/input/parse.ts'
import { wireOf, withWire } from '../../../kernel/input/wire.ts'

const maxLength = 100
const form = /^[\w.~-]+$/

/** A name that an affiliate gives to a place of an address: the newsletter, a video. */
export const subId = () =>
  withWire(
    text(maxLength).refine((value) => form.test(value), {
      error: 'may hold letters, digits, dots, dashes, underscores and tildes',
      params: saysCode('not_a_sub_id'),
    }),
    wireOf(text(maxLength)),
  )

/** The sub-id in an address or a query. Null without one, and for one of another form. The visit is counted anyway. */
export function subIdIn(address: string | undefined): string | null {
  const query = address === undefined ? '' : (/\?([^#]*)/.exec(address)?.[1] ?? '')
  const sub = new URLSearchParams(query).get('sub')
  return sub !== null && sub.length <= maxLength && form.test(sub) ? sub : null
}
