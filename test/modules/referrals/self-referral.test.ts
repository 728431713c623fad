import { expect, it } from 'vitest'
import { findSelfReferral } from '../../../src/modules/referrals/self-referral.ts'

it.each([
  ['the same address', 'ada@acme.com', 'ada@acme.com', 'self_referral_email'],
  ['different case', 'Ada@Acme.com', 'aDA@aCME.COM', 'self_referral_email'],
  ['a tag, at any provider', 'ada@acme.com', 'ada+shop@acme.com', 'self_referral_email'],
  ['two tags', 'ada+a@posteo.de', 'ada+b+c@posteo.de', 'self_referral_email'],
  ['dots at Gmail', 'ada.lovelace@gmail.com', 'a.d.a.lovelace@gmail.com', 'self_referral_email'],
  ["Gmail's other domain", 'ada.lovelace+x@googlemail.com', 'AdaLovelace@gmail.com', 'self_referral_email'],
  ["Apple's other domains", 'ada@me.com', 'ada+1@icloud.com', 'self_referral_email'],
  ['punctuation that Proton ignores', 'ada.love-lace@pm.me', 'ada_lovelace@protonmail.com', 'self_referral_email'],
  [
    'an international domain in Unicode and in Punycode',
    'ada@münchen.de',
    'ada@xn--mnchen-3ya.de',
    'self_referral_email',
  ],
  ['a domain that ends with a dot', 'ada@acme.com', 'ada@acme.com.', 'self_referral_email'],
  ['the same address at a free provider', 'ada@web.de', 'ada@web.de', 'self_referral_email'],
  ['the same address at localhost', 'ada@localhost', 'ada@localhost', 'self_referral_email'],

  ['a colleague', 'ada@acme.com', 'grace@acme.com', 'self_referral_domain'],
  ['a colleague in another department', 'ada@uk.acme.com', 'grace@mail.acme.com', 'self_referral_domain'],
  ['the same name in another department', 'ada@uk.acme.com', 'ada@acme.com', 'self_referral_domain'],
  ['a company below a suffix of two parts', 'ada@acme.co.uk', 'grace@shop.acme.co.uk', 'self_referral_domain'],
  ['a company below a private suffix', 'ada@acme.uk.com', 'grace@mail.acme.uk.com', 'self_referral_domain'],
  [
    'two people at one site of a hosting provider',
    'ada@acme.github.io',
    'grace@acme.github.io',
    'self_referral_domain',
  ],
  [
    'dots at a provider that does not ignore them',
    'ada.lovelace@acme.com',
    'adalovelace@acme.com',
    'self_referral_domain',
  ],
  ['colleagues at an international domain', 'ada@münchen.de', 'grace@xn--mnchen-3ya.de', 'self_referral_domain'],
  ['a name that starts with a plus', '+ada@acme.com', '+grace@acme.com', 'self_referral_domain'],

  ['composed and decomposed letters', 'andr\u00e9@acme.com', 'andre\u0301@acme.com', 'self_referral_email'],
  ['letters of full width', 'ada@gmail.com', '\uff41da@\uff47mail.com', 'self_referral_email'],
  ['an invisible character', 'ada@gmail.com', 'a\u200bda@gmail.com', 'self_referral_email'],
  ['a Cyrillic letter in the name', 'johndoe@gmail.com', 'j\u043ehndoe@gmail.com', 'self_referral_lookalike'],
  ['Greek letters in the name', 'nikos@gmail.com', '\u03b7i\u03bao\u0455@gmail.com', 'self_referral_lookalike'],
  ['a Cyrillic letter in the domain', 'ada@acme.com', 'ada@\u0430cme.com', 'self_referral_lookalike'],

  ['two people at Gmail', 'ada@gmail.com', 'grace@gmail.com', null],
  ['two people at Gmail, one at its other domain', 'ada@googlemail.com', 'grace@gmail.com', null],
  ['two people at a national provider', 'ada@web.de', 'grace@web.de', null],
  ['two people at a provider below a suffix of two parts', 'ada@yahoo.co.uk', 'grace@yahoo.co.uk', null],
  ['names with a hyphen at Yahoo', 'anna-lena@yahoo.com', 'anna-marie@yahoo.com', null],
  ['two private relay addresses of Apple', 'a1@privaterelay.appleid.com', 'b2@privaterelay.appleid.com', null],
  ['one name at two providers', 'ada@gmail.com', 'ada@outlook.com', null],
  ['two companies below one suffix', 'ada@acme.co.uk', 'ada@other.co.uk', null],
  ['two sites of a hosting provider', 'ada@acme.github.io', 'ada@other.github.io', null],
  ['domains with a common ending', 'ada@acme.com', 'ada@notacme.com', null],
  ['one company name below two suffixes', 'ada@acme.com', 'ada@acme.org', null],
  ['two people at a domain that is a public suffix', 'ada@uk.com', 'grace@uk.com', null],
  ['two people at a domain of examples', 'ada@example.com', 'grace@example.com', null],
  ['two people at localhost', 'ada@localhost', 'grace@localhost', null],
  ['two people at an IP address', 'ada@[127.0.0.1]', 'grace@[127.0.0.1]', null],
])('%s: %s and %s', (_label, affiliate, customer, expected) => {
  const withoutWallets = (email: string) => ({ email, paypalEmail: null, wiseEmail: null })
  expect(findSelfReferral(withoutWallets(affiliate), customer)).toBe(expected)
  expect(findSelfReferral(withoutWallets(customer), affiliate)).toBe(expected)
})

it.each([
  ['the first payout address', 'ada@wallet.test', 'self_referral_email'],
  ['the second payout address, in another spelling', 'Ada+shop@M\u00fcller.test', 'self_referral_email'],
  ['one that looks like a payout address', '\u0430da@wallet.test', 'self_referral_lookalike'],
  ['another person at the domain of a payout address', 'grace@wallet.test', null],
])('%s', (_label, customer, expected) => {
  const affiliate = { email: 'ada@own.test', paypalEmail: 'ada@wallet.test', wiseEmail: 'ada@xn--mller-kva.test' }
  expect(findSelfReferral(affiliate, customer)).toBe(expected)
})
