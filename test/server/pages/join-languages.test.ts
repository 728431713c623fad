import { expect, it } from 'vitest'
import { languages } from '../../../src/kernel/languages.ts'
import { joinTexts, mailPageTexts } from '../../../src/texts/texts.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'

const test = await createTestApp()

async function open(path: string, accept?: string, form?: Record<string, string>) {
  const headers = { ...(accept && { 'Accept-Language': accept }) }
  const body = form && { method: 'POST', body: new URLSearchParams(form) }
  const response = await test.app.fetch(new Request(`http://localhost:4000${path}`, { headers, ...body }))
  return { status: response.status, vary: response.headers.get('vary'), text: await response.text() }
}

/** The texts of a language, with a mark in the place of each argument. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [value.length === 1 ? String(value(2)) : String(value('A', 'B', 'C'))]
  return Object.values(value as object).flatMap(textsIn)
}

it.each(languages)('no text of the pages in %s is empty', (language) => {
  const all = [...textsIn(joinTexts[language]), ...textsIn(mailPageTexts[language])]
  expect(all.filter((text) => text.trim() === '' || /undefined|\{\{/.test(text))).toEqual([])
})

it('the join page is in the language that the address or the browser asks for, else in that of the program', async () => {
  const program = await test.createProgram({ locale: 'de-DE' })
  const path = `/join/${program.slug}`
  const titleOf = async (address: string, accept?: string) => {
    const { text, vary } = await open(address, accept)
    expect(vary).toContain('Accept-Language')
    return [/<html lang="(\w+)"/.exec(text)?.[1], /<h1>(.*)<\/h1>/.exec(text)?.[1]]
  }
  expect(await titleOf(path)).toEqual(['de', 'Partner von Acme werden'])
  expect(await titleOf(path, 'sv, ja;q=0.5, fr;q=0.9')).toEqual(['fr', 'Devenir affilié de Acme'])
  expect(await titleOf(`${path}?lang=ja`, 'fr')).toEqual(['ja', 'Acmeのアフィリエイトに申し込む'])
  expect((await open(path, 'fr')).text).toMatch(/Vous gagnez 20\s% de chaque vente/)
  expect((await open('/join/confirm', 'es')).text).toContain('Confirme su correo electrónico')
})

it.each(['/join/nobody', '/join', '/join/nobody/more', '/portal/nobody', '/mail/nobody'])(
  'an unknown address of affiliates, %s, shows a page in their language without the pages of the operator',
  async (path) => {
    const headers = { Accept: 'text/html', 'Accept-Language': 'de' }
    const response = await test.app.fetch(new Request(`http://localhost:4000${path}`, { headers }))
    const text = await response.text()
    expect([response.status, /<h1>(.*)<\/h1>/.exec(text)?.[1]]).toEqual([404, 'Seite nicht gefunden'])
    expect(text).not.toMatch(/dashboard|graphi?ql/i)
    const [, style = ''] = /<link rel="stylesheet" href="(.*?)"/.exec(text) ?? []
    const file = await test.app.fetch(new Request(new URL(style, `http://localhost:4000${path}`)))
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  },
)

it('problems are said in the language of the form, and so are the mails of the application', async () => {
  const program = await test.createProgram()
  const wrong = await open(`/join/${program.slug}?lang=ja`, 'en', { email: 'nobody' })
  expect([wrong.status, /<li>(.*?)<\/li>/.exec(wrong.text)?.[1]]).toEqual([
    422,
    'メールアドレス：入力内容をご確認ください。',
  ])
  const sent = await open(`/join/${program.slug}?lang=ja`, 'en', { email: 'hana@apply.test' })
  expect(sent.text).toContain('メールをご確認ください')
  expect((await mailOf(program)).subject).toBe('Acme：メールアドレスをご確認ください')
  await confirm(program)
  const { applications } = await program.graphql('{ applications(first: 1) { nodes { id language } } }')
  const [{ id, language }] = applications.nodes
  expect(language).toBe('ja')
  const approve = 'mutation ($ids: [ID!]!) { approveApplications(input: { ids: $ids }) { __typename } }'
  await program.graphql(approve, { ids: [id] })
  const { affiliates } = await program.graphql('{ affiliates(first: 1) { nodes { language } } }')
  expect(affiliates.nodes).toEqual([{ language: 'ja' }])
})

const mailOf = async (program: TestProgram) =>
  (await program.graphql('{ mails(first: 1) { nodes { subject text } } }')).mails.nodes[0]

async function confirm(program: TestProgram): Promise<void> {
  const [, token] = /#token=(\S+)/.exec((await mailOf(program)).text) ?? []
  const response = await test.app.fetch(
    new Request('http://localhost:4000/join/confirm', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    }),
  )
  expect(response.status).toBe(200)
}

it('JSON names the language of the mails; another one is an error, and a field of the program keeps its name', async () => {
  const program = await test.createProgram()
  const apply = async (body: object) => {
    const response = await test.app.fetch(
      new Request(`http://localhost:4000/join/${program.slug}?lang=de`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    return { status: response.status, body: await response.json() }
  }
  const languagesKept = async () =>
    (await test.database.db.application.findMany({ where: { programId: program.id }, orderBy: { id: 'asc' } })).map(
      ({ language, fields }) => [language, fields],
    )
  expect((await apply({ email: 'a@apply.test', language: 'fr' })).status).toBe(202)
  expect((await apply({ email: 'b@apply.test' })).status).toBe(202)
  const wrong = await apply({ email: 'c@apply.test', language: 'xx' })
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
    422,
    expect.stringContaining('Language must be one of: en, de, fr, es, pt, ja'),
  ])
  const ask =
    'mutation { updateJoinSettings(input: { fields: [{ name: "language", label: "Code in" }] }) { joinSettings { isOpen } } }'
  await program.graphql(ask)
  expect((await apply({ email: 'd@apply.test', language: 'Rust' })).status).toBe(202)
  expect(await languagesKept()).toEqual([
    ['fr', {}],
    ['de', {}],
    ['de', { language: 'Rust' }],
  ])
})

it('a slug may be the name of a property that all objects have', async () => {
  expect((await open('/join/constructor')).status).toBe(404)
  await test.createProgram({ slug: 'constructor' })
  expect(await open('/join/constructor')).toMatchObject({ status: 200, text: expect.stringContaining('<h1>') })
})
