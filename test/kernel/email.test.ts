import { expect, it } from 'vitest'
import { emailKey } from '../../src/kernel/email.ts'
import { email, payeeEmail } from '../../src/kernel/input/fields.ts'

const mailboxes = [
  'ada@example.com',
  'ada.l+news@mail.example.co.uk',
  "o'neil@x.test",
  'a..b@x.test',
  'ada@localhost',
  'mia@bücher.example',
  'björn@x.test',
  '用户@例子.广告',
  'v@xn--bcher-kva.example',
]

it.each(mailboxes)('%s is an address', (text) => {
  expect(email().safeParse(text).success).toBe(true)
})

const others = [
  '<v@x.test>',
  'x<v@x.test>',
  'V <v@x.test>',
  'g:v@x.test;',
  'v@x.test:x',
  'v@x.test;',
  'v@x.test,w@x.test',
  'x@[127.0.0.1]',
  '(x)v@x.test',
  '"v"@x.test',
  '＜v@x.test＞',
  'v@x%2etest',
  'v@x..test',
  'v@-x.test',
  'v\\@x.test',
  'v\u202e@x.test',
  'mailto:v@x.test',
]

it.each(others)('%s is another form, and is rejected: it would be counted as another mailbox', (text) => {
  expect(email().safeParse(text).success).toBe(false)
  expect(payeeEmail().safeParse(text).success).toBe(false)
})

it('what a spreadsheet reads as a formula is no address of a person; a program can pay there', () => {
  expect(email().safeParse('=cmd@x.test').success).toBe(false)
  expect(payeeEmail().safeParse('=cmd@x.test').success).toBe(true)
})

it('the spellings of one mailbox have one key', () => {
  const spellings = ['mia@bücher.example', 'MIA@BÜCHER.example.', 'mia@xn--bcher-kva.example', 'ｍia@bücher.example']
  expect(new Set(spellings.map(emailKey)).size).toBe(1)
})
