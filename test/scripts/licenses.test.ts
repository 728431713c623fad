import { expect, it } from 'vitest'
import { isAllowed } from '../../scripts/licenses.ts'

it.each(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'MIT OR MPL-2.0', '(MIT OR EUPL-1.1+)', 'MIT AND ISC'])(
  'allows %s',
  (license) => {
    expect(isAllowed(license)).toBe(true)
  },
)

it.each(['GPL-3.0-only', 'AGPL-3.0-or-later', 'MPL-2.0', 'MIT AND LGPL-3.0-only', 'UNLICENSED', 'unknown', ''])(
  'refuses %s',
  (license) => {
    expect(isAllowed(license)).toBe(false)
  },
)
