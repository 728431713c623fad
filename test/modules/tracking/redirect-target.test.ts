import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targetOf } from '../../../src/modules/tracking/redirect-target.ts'

const added = { via: 'ada', referral: 'r1' }

describe('the target of a redirect', () => {
  it.each([
    ['https://acme.test', '', 'https://acme.test/?via=ada&referral=r1'],
    ['https://acme.test/a?b=%20c+d#e', '', 'https://acme.test/a?b=%20c+d&via=ada&referral=r1#e'],
    ['https://acme.test/?via=x&a=1&referral=y', '', 'https://acme.test/?a=1&via=ada&referral=r1'],
    ['https://acme.test/?v%69a=x', '', 'https://acme.test/?via=ada&referral=r1'],
    ['https://acme.test/', '?utm_source=b&via=x&ref%65rral=y', 'https://acme.test/?utm_source=b&via=ada&referral=r1'],
    ['https://acme.test/?utm_source=own', '?utm_source=b&x', 'https://acme.test/?utm_source=own&x&via=ada&referral=r1'],
    ['https://acme.test:8443/', '?#//evil.test', 'https://acme.test:8443/?%23//evil.test&via=ada&referral=r1'],
  ])('for %s and the click query "%s" is %s', (url, clicked, target) =>
    expect(targetOf(url, added, clicked)).toBe(target),
  )

  it('is the unchanged URL if there is nothing to add', () => {
    expect(targetOf('https://acme.test/a?b=1#c', {})).toBe('https://acme.test/a?b=1#c')
  })

  it('always keeps origin, path and fragment, and has one via and one referral, for any click query', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), (url, clicked) => {
        const [from, to] = [new URL(url), new URL(targetOf(url, added, clicked))]
        expect([to.origin, to.pathname, to.hash]).toEqual([from.origin, from.pathname, from.hash])
        expect(to.searchParams.getAll('via')).toEqual(['ada'])
        expect(to.searchParams.getAll('referral')).toEqual(['r1'])
      }),
    )
  })
})
