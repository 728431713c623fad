import { expect, it } from 'vitest'
import { fillIn } from '../../../src/modules/mails/template.ts'

const frame = { language: 'en', program: 'Acme <Partners>', button: 'Open', footer: '' }

it('fills in values as text, and makes a button of a link that stands alone', () => {
  const template = { subject: 'Hello {{name}}', text: 'Dear {{name}},\n\n{{link}}\n\n{{note}}\n\nBye' }
  const mail = fillIn(template, { name: '<b>Ada</b>\r\nBcc: x', link: 'https://acme.test/?a=1&b=2' }, frame)
  expect(mail.subject).toBe('Hello <b>Ada</b> Bcc: x')
  expect(mail.text).toBe('Dear <b>Ada</b>\r\nBcc: x,\n\nhttps://acme.test/?a=1&b=2\n\nBye\n')
  expect(mail.html).toContain('&lt;b&gt;Ada&lt;/b&gt;')
  expect(mail.html).toContain('<a href="https://acme.test/?a=1&amp;b=2"')
  expect(mail.html).not.toMatch(/<(img|link|script)\b|url\(/)
})
