import { expect, it } from 'vitest'
import { languages } from '../../../src/kernel/languages.ts'
import { textProblems } from '../../../src/modules/mails/edit-texts.ts'
import { kinds } from '../../../src/modules/mails/kinds/all.ts'
import { variablesOf, writtenKinds } from '../../../src/modules/mails/variables.ts'
import { mailTexts } from '../../../src/texts/texts.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const test = await createTestApp()

const run = (program: Pick<TestProgram, 'graphql'>, name: string, input: object, selection: string) =>
  program.graphql(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) ${selection} }`,
    { input },
  )

const mailsTo = async (program: TestProgram, to: string) =>
  (
    await program.graphql(
      'query ($to: String) { mails(first: 50, where: { to: { equals: $to } }) { nodes { kind subject text html } } }',
      { to },
    )
  ).mails.nodes

const invite = (program: TestProgram, email: string) =>
  run(program, 'inviteApplicants', { emails: [email] }, '{ __typename }')

it.each(languages)('the mails in %s use the variables of the English ones', (language) => {
  for (const kind of writtenKinds) {
    const { subject, text, button } = mailTexts[language].mails[kind]
    const used = [...`${subject}\n${text}`.matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name]) => name)
    expect({ kind, used: new Set(['program', ...used]) }).toEqual({ kind, used: new Set(variablesOf(kind)) })
    expect(textProblems(kind, { subject, text })).toEqual([])
    expect(button === '').toBe(mailTexts.en.mails[kind].button === '')
  }
  for (const name of ['program', 'unsubscribe', 'preferences'])
    expect(mailTexts[language].footer).toContain(`{{${name}}}`)
})

it('a preview has an example of each variable', () => {
  const [day, time, month, amount] = ['a day', 'a time', 'a month', 'an amount']
  const example = {
    texts: mailTexts.en,
    name: 'Ada',
    link: 'a link',
    affiliateUrl: 'an address',
    day,
    time,
    month,
    amount,
    news: { change: 'a change', reward: 'a reward', before: 'before' },
  }
  for (const kind of writtenKinds)
    expect
      .soft({ kind, names: ['program', ...Object.keys(kinds[kind].examples(example))].sort() })
      .toEqual({ kind, names: variablesOf(kind).sort() })
})

// In German alone, the sentence goes on after the greeting.
it.each(languages.filter((language) => language !== 'de'))('mails in %s begin with a capital letter', (language) => {
  for (const kind of writtenKinds) {
    const [, first = ''] = mailTexts[language].mails[kind].text.split('\n\n')
    expect({ kind, first }).toEqual({ kind, first: expect.not.stringMatching(/^\p{Ll}/u) })
  }
})

it("a mail is in the affiliate's language, else in that of the program's locale, else in English", async () => {
  for (const [locale, language, subject] of [
    ['en-US', 'ja', 'Acmeへのログイン'],
    ['de-AT', null, 'Anmelden bei Acme'],
    ['de-AT', 'fr', 'Connexion à Acme'],
    ['sv-SE', null, 'Sign in to Acme'],
  ] as const) {
    const program = await test.createProgram({ locale })
    const email = 'ada@language.test'
    await run(program, 'createAffiliate', { email, ...(language && { language }) }, '{ affiliate { id } }')
    await test.app.fetch(
      new Request('http://localhost:4000/portal/sign-in', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ program: program.slug, email }),
      }),
    )
    const [mail] = await mailsTo(program, email)
    expect(mail.subject).toBe(subject)
    expect(mail.html).toContain(`<html lang="${language ?? locale.slice(0, 2).replace('sv', 'en')}">`)
  }
})

it('an edited text is sent in its language alone, and can be taken back', async () => {
  const program = await test.createProgram()
  const text = 'Dear friend,\n\n{{program}} <b>wants</b> you.\n\n{{link}}'
  const input = { kind: 'INVITATION', language: 'en', subject: 'Join {{program}}\r\nBcc: eve@evil.test', text }
  const { updateMailText } = await run(program, 'updateMailText', input, '{ mailText { subject isEdited variables } }')
  expect(updateMailText.mailText).toMatchObject({ isEdited: true, variables: ['program', 'link'] })
  await invite(program, 'one@edited.test')
  const [mail] = await mailsTo(program, 'one@edited.test')
  expect(mail.subject).toBe('Join Acme Bcc: eve@evil.test')
  expect(mail.text).toContain('Dear friend,\n\nAcme <b>wants</b> you.')
  expect(mail.html).toContain('Acme &lt;b&gt;wants&lt;/b&gt; you.')
  expect(mail.html).toContain('>See the offer</a>')
  await run(program, 'resetMailText', { kind: 'INVITATION', language: 'en' }, '{ mailText { isEdited } }')
  await invite(program, 'two@edited.test')
  expect((await mailsTo(program, 'two@edited.test'))[0].subject).toBe('Acme invites you to become an affiliate')
})

it('an unknown variable is an error that names the known ones, and so is a text without its link', async () => {
  const program = await test.createProgram()
  const edit = (text: string) =>
    run(program, 'updateMailText', { kind: 'INVITATION', language: 'ja', text }, '{ __typename }')
  await expect(edit('{{ link }} {{password}}')).rejects.toThrow(
    'Text has an unknown variable: {{password}}. Known are {{program}}, {{link}}',
  )
  await expect(edit('{{constructor.constructor("x")()}} {{link}}')).rejects.toThrow('has an unknown variable')
  await expect(edit('{{link')).rejects.toThrow('has {{ or }} without a partner')
  await expect(edit('Come!')).rejects.toThrow('must contain {{link}}')
  await expect(
    run(program, 'updateMailText', { kind: 'INVITATION', language: 'sv', text: '{{link}}' }, '{ __typename }'),
  ).rejects.toThrow('Language must be one of: en, de, fr, es, pt, ja')
})

it('a kind that is off is not sent; kinds that people need stay on', async () => {
  const program = await test.createProgram()
  const turn = (kind: string, isOn: boolean) => run(program, 'updateMailKind', { kind, isOn }, '{ mailTexts { isOn } }')
  const { updateMailKind } = await turn('INVITATION', false)
  expect(updateMailKind.mailTexts).toEqual(languages.map(() => ({ isOn: false })))
  await invite(program, 'off@kind.test')
  expect(await mailsTo(program, 'off@kind.test')).toEqual([])
  await turn('INVITATION', true)
  await invite(program, 'off@kind.test')
  expect(await mailsTo(program, 'off@kind.test')).toHaveLength(1)
  await expect(turn('SIGN_IN', false)).rejects.toThrow('cannot be turned off')
})

it('a preview has real data and the given text, and a test goes to the person who asks', async () => {
  const program = await test.createProgram()
  await run(program, 'createAffiliate', { email: 'ada@preview.test', firstName: 'Ada' }, '{ affiliate { id } }')
  const preview =
    'query ($text: String) { previewMail(kind: COMMISSIONS_EARNED, language: "de", text: $text) { subject text html } }'
  const { previewMail } = await program.graphql(preview, { text: 'Liebe {{name}}, {{amount}}!' })
  expect(previewMail.text).toMatch(/^Liebe Ada, 123,45\s\$!/)
  await expect(program.graphql(preview, { text: '{{nobody}}' })).rejects.toThrow('unknown variable')
  const test1 = { kind: 'PAYOUT_SENT', language: 'fr', subject: 'Bonjour {{name}}' }
  await expect(run(program, 'sendTestMail', test1, '{ mail { id } }')).rejects.toThrow('Sign in to the dashboard')
  const olga = await setUpOperator(test)
  const mia = await addMember(test, olga, program.id, { email: 'mia@preview.test', role: 'MANAGER' })
  const graphql = mia.graphql(program.slug)
  const { sendTestMail } = await run({ graphql }, 'sendTestMail', test1, '{ mail { to kind subject html } }')
  expect(sendTestMail.mail).toMatchObject({ to: 'mia@preview.test', kind: 'TEST', subject: 'Bonjour Ada' })
})

it('affiliates keep their language, and unknown ones are rejected', async () => {
  const program = await test.createProgram()
  const { createAffiliate } = await run(
    program,
    'createAffiliate',
    { email: 'me@own.test' },
    '{ affiliate { id language } }',
  )
  const { id, language } = createAffiliate.affiliate
  expect(language).toBeNull()
  const { createAffiliateToken } = await run(program, 'createAffiliateToken', { affiliateId: id }, '{ token }')
  const me = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
  const update = 'mutation ($language: String) { updateMe(input: { language: $language }) { affiliate { language } } }'
  expect((await me(update, { language: 'pt-BR' })).updateMe.affiliate).toEqual({ language: 'pt' })
  await expect(me(update, { language: 'sv' })).rejects.toThrow('must be one of: en, de, fr, es, pt, ja')
  expect((await me(update, { language: null })).updateMe.affiliate).toEqual({ language: null })
})
