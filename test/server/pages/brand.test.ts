import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { contrast, textOn } from '../../../src/kernel/colors.ts'
import { colorFile } from '../../../src/server/pages/brand.ts'
import { createTestApp } from '../../support/app.ts'

const variablesOf = (css: string): Record<string, string[]> =>
  Object.fromEntries(
    [...css.matchAll(/(--[\w-]+):\s*(?:light-dark\(([^)]+)\)|(#\w+))/g)].map(([, name, pair, one]) => [
      name,
      (pair ?? `${one},${one}`).split(',').map((color) => color.trim()),
    ]),
  )

describe('the colour of a program', () => {
  it.each(['#ffd400', '#1f5eff', '#000000', '#ffffff', '#7f7f7f', '#ff69b4', '#00ff00', '#c62828'])(
    '%s leaves all text readable, light and dark',
    async (color) => {
      const page = variablesOf(await readFile('src/pages/parts/style/colors.css', 'utf8'))
      const own = variablesOf(String(colorFile(`color-${color.slice(1)}.css`)?.body))
      expect(own['--brand']).toEqual([color, color])
      for (const theme of [0, 1]) {
        const at = (variables: Record<string, string[]>, name: string) => variables[name]?.[theme] ?? ''
        for (const surface of ['--background', '--paper', '--hover'])
          expect(contrast(at(own, '--accent'), at(page, surface)), surface).toBeGreaterThanOrEqual(4.5)
        expect(contrast(at(own, '--on-accent'), at(own, '--accent'))).toBeGreaterThanOrEqual(4.5)
        expect(contrast(at(own, '--on-brand'), color)).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('has black or white text', () => {
    expect(['#ffd400', '#1f5eff', '#ffffff', '#000000'].map(textOn)).toEqual([
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ])
  })
})

describe('the portal of a program', async () => {
  const test = await createTestApp()
  const program = await test.createProgram()
  const ask = (path: string) => test.app.fetch(new Request(`http://localhost:4000${path}`))
  beforeAll(async () => {
    await test.operator(
      'mutation ($id: ID!, $name: String!) { updateProgram(input: { id: $id, name: $name }) { program { id } } }',
      {
        id: program.id,
        name: 'Ac"me <&> Co',
      },
    )
    await program.graphql(
      `mutation { updateJoinSettings(input: { logoUrl: "https://cdn.acme.test/logo.png?a=1&b=2", color: "#FFD400" }) {
        joinSettings { color } } }`,
    )
  })

  it('has its name, logo and colour, and allows images of the origin of the logo alone', async () => {
    const page = await ask(`/portal?program=${program.slug}`)
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.acme.test;")
    const html = await page.text()
    expect(html).toContain(
      '<meta name="program" content="Ac&quot;me &lt;&amp;&gt; Co" data-logo="https://cdn.acme.test/logo.png?a=1&amp;b=2">',
    )
    expect(html).toContain('<link rel="stylesheet" href="portal/color-ffd400.css">')
    const css = await ask('/portal/color-ffd400.css')
    expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(await css.text()).toContain('--on-brand:#000000')
  })

  it.each(['https://cdn.acme.test;sandbox', 'https://cdn.acme.test,sandbox', 'https://*', "https://'none'"])(
    '%s cannot be where the logo is, or the pages around a frame: it would change the policy',
    async (origin) => {
      const update = (input: object) =>
        program.graphql(
          'mutation ($input: UpdateJoinSettingsInput!) { updateJoinSettings(input: $input) { joinSettings { color } } }',
          { input },
        )
      const problem = 'must have a host of letters, digits, dashes and dots'
      await expect(update({ logoUrl: `${origin}/logo.png` })).rejects.toThrow(problem)
      await expect(update({ origins: [origin] })).rejects.toThrow(problem)
    },
  )

  it('is plain without a program, and for one that does not exist', async () => {
    for (const path of ['/portal?program=', '/portal?program=nobody']) {
      const page = await ask(path)
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self';")
      expect(await page.text()).not.toContain('meta name="program"')
    }
    for (const name of ['color-red.css', 'color-12345.css', 'color-1234567.css', 'color-ffd400.js'])
      expect((await ask(`/portal/${name}`)).status, name).toBe(404)
  })

  it('is where sign-in links lead', async () => {
    const created = await program.post('/affiliates', { email: 'ada@example.com' })
    const { createSsoLink } = await program.graphql(
      'mutation ($id: ID!) { createSsoLink(input: { affiliateId: $id }) { url } }',
      { id: created.body.id ?? created.body.affiliate?.id },
    )
    expect(createSsoLink.url).toMatch(new RegExp(`/portal\\?program=${program.slug}&from=site#ticket=trib_sso_`))
  })
})
