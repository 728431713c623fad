import { url } from './fields.ts'
import { saysCode } from './parse.ts'
import { wireOf, withWire } from './wire.ts'

/** A page that visitors are sent to. A user name before the host looks like the host. */
export const pageUrl = () =>
  withWire(
    url().refine(
      (value) => !URL.canParse(value) || (new URL(value).username === '' && new URL(value).password === ''),
      {
        error: 'must not have a user name or a password before the host',
        params: saysCode('not_a_url'),
      },
    ),
    wireOf(url()),
  )
