import { expect, it } from 'vitest'
import { kinds } from '../../../src/modules/feeds/kinds/all.ts'
import { presets } from '../../../src/modules/feeds/kinds/generic/presets.ts'
import { developers } from '../../../src/pages/dashboard/texts/developers.ts'

it('the form of a feed says of each billing system whether its secret can be made here', () => {
  const isMade = [
    ...Object.entries(kinds).map(([kind, { mintSecret }]) => [kind.toUpperCase(), mintSecret !== undefined]),
    ...Object.entries(presets).map(([name, { isSecretFromVendor }]) => [name.toUpperCase(), !isSecretFromVendor]),
  ]
  const said = Object.entries(developers.feeds.secrets).map(([system, { isMadeHere }]) => [system, isMadeHere])
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(isMade))
})
