import type { Demo } from './service.ts'

type Welcome = { demo: Demo; address: string; adminTokenFile: string | null }

/** The message of the first start. It is the only place that shows the demo key. */
export function welcome({ demo: { program, secret, coupon }, address, adminTokenFile }: Welcome): string {
  const sale = `-d 'coupon=${coupon}' -d 'amount_cents=4900' -d 'email=grace@example.com'`
  return `
  Tributary has created a demo program, "${program.name}", with two years of data.

    REST               ${address}/v1
    GraphQL, GraphiQL  ${address}/graphql
    Documentation      ${address}/docs
    OpenAPI            ${address}/v1/openapi.json
    Demo shop          ${address}/demo/shop
    Demo key           ${secret}
    Operator token     ${adminTokenFile === null ? 'as set by ADMIN_TOKEN' : `in ${adminTokenFile}`}

  The key is shown only once. Enter it at the top of the GraphiQL page.

  List commissions:
    curl -s -u '${secret}:' '${address}/v1/commissions?limit=2'

  Report a sale that used a coupon:
    curl -s -u '${secret}:' ${sale} '${address}/v1/conversions'

  To start without a demo, set NODE_ENV=production.
`
}
