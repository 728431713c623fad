import { version } from '../../kernel/package-root.ts'
import type { Demo } from './service.ts'

/** `setUpLink` is null if there is an operator who can sign in to the dashboard. */
type Place = { address: string; adminTokenFile: string | null; setUpLink: string | null }

/** The message of the start that made the demo program. It is the only place that shows the demo key. */
export function welcome({ demo: { program, secret, coupon }, ...place }: Place & { demo: Demo }): string {
  const { address } = place
  const sale = `-d 'coupon=${coupon}' -d 'amount_cents=4900' -d 'email=grace@example.com'`
  return `
  Tributary ${version} has created a demo program, "${program.name}", with two years of data.

${addresses(place)}
    Demo shop          ${address}/demo/shop
    Demo key           ${secret}

  The key is shown only once. Enter it at the top of the GraphiQL page.
${setUp(place)}
  List commissions:
    curl -s -u '${secret}:' '${address}/v1/commissions?limit=2'

  Report a sale that used a coupon:
    curl -s -u '${secret}:' ${sale} '${address}/v1/conversions'

  To remove the demo program: npx tributary delete-program --program ${program.slug} --yes
`
}

export function reminder({ programSlug, ...place }: Place & { programSlug: string | null }): string {
  return `
  Tributary ${version} is running.

${addresses(place)}
${setUp(place)}
${programSlug === null ? firstProgram : anotherKey(programSlug)}
`
}

const addresses = ({ address, adminTokenFile }: Place) =>
  `    REST               ${address}/v1
    GraphQL, GraphiQL  ${address}/graphql
    Dashboard          ${address}/dashboard
    Documentation      ${address}/docs
    OpenAPI            ${address}/v1/openapi.json
    Affiliate portal   ${address}/portal
    Operator token     ${adminTokenFile === null ? 'as set by ADMIN_TOKEN' : `in ${adminTokenFile}`}`

const setUp = ({ setUpLink }: Place) =>
  setUpLink === null
    ? ''
    : `
  Open this link to make your account for the dashboard. It works once, within an hour:
    ${setUpLink}
`

const firstProgram = `  There is no program yet. Create one, with its first API key:
    npx tributary create-program --name Acme --url https://acme.test --currency usd

  Or start with a demo program: npm start -- --demo`

const anotherKey = (programSlug: string) => `  A key is shown only once. Create another one:
    npx tributary create-key --program ${programSlug} --name NAME`
