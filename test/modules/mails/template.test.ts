import { expect, it } from 'vitest'
import { contrast } from '../../../src/kernel/colors.ts'
import { fillIn } from '../../../src/modules/mails/template.ts'

const frame = { language: 'en', program: 'Acme <Partners>', button: 'Open', footer: '', color: null, logoUrl: null }

it('fills in values as text, and makes a button of a link that stands alone', () => {
  const template = { subject: 'Hello {{name}}', text: 'Dear {{name}},\n\n{{link}}\n\n{{note}}\n\nBye' }
  const mail = fillIn(template, { name: '<b>Ada</b>\r\nBcc: x', link: 'https://acme.test/?a=1&b=2' }, frame)
  expect(mail.subject).toBe('Hello <b>Ada</b> Bcc: x')
  expect(mail.text).toBe('Dear <b>Ada</b>\r\nBcc: x,\n\nhttps://acme.test/?a=1&b=2\n\nBye\n')
  expect(mail.html).toContain('&lt;b&gt;Ada&lt;/b&gt;')
  expect(mail.html).toContain('<a href="https://acme.test/?a=1&amp;b=2"')
  expect(mail.html).not.toMatch(/<(img|link|script)\b|url\(/)
})

const branded = (brand: { color: string | null; logoUrl: string | null }) =>
  fillIn(
    { subject: 'Hi', text: '{{link}}\n\nBye' },
    { link: 'https://acme.test/' },
    { ...frame, footer: 'Why it came.', ...brand },
  ).html

it("has the program's colour with text that is readable on it, and its logo with the name as text", () => {
  const html = branded({ color: '#ffd400', logoUrl: 'https://cdn.acme.test/logo.png?a=1&b=2' })
  expect(html).toContain('background:#ffd400;color:#000000')
  expect(html).toContain('src="https://cdn.acme.test/logo.png?a=1&amp;b=2" alt="Acme &lt;Partners&gt;"')
  expect(html).toContain('max-height:40px')
  for (const logoUrl of ['http://acme.test/logo.png', 'data:image/png;base64,x', 'javascript:x'])
    expect(branded({ color: null, logoUrl })).not.toContain('<img')
})

it('all text is readable, light, dark, and with inverted colours', () => {
  const html = branded({ color: '#ffffff', logoUrl: null })
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  const inverted = (color: string) =>
    `#${(0xffffff - Number.parseInt(color.slice(1), 16)).toString(16).padStart(6, '0')}`
  const colors = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, color = '']) => color)
  const dark = { papers: colors(/\.paper\{background:(#\w{6})/g), texts: colors(/[{;]color:(#\w{6}) !important/g) }
  const light = { papers: ['#ffffff'], texts: colors(/class="(?:paper|quiet)"[^>]*[;"]color:(#\w{6})/g) }
  expect([dark.papers.length, dark.texts.length, light.texts.length]).toEqual([1, 2, 4])
  for (const { papers, texts } of [light, dark])
    for (const text of texts) {
      expect(contrast(text, papers[0] as string), text).toBeGreaterThanOrEqual(4.5)
      expect(contrast(inverted(text), inverted(papers[0] as string)), text).toBeGreaterThanOrEqual(4.5)
    }
  // A white button on white paper has an outline.
  const [line = ''] = colors(/class="button"[^>]*border:1px solid (#\w{6})/g)
  expect(contrast(line, '#ffffff')).toBeGreaterThanOrEqual(3)
})
