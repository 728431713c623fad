import { expect, it } from 'vitest'
import type { Program } from '../../../src/generated/prisma/client.ts'
import { welcome } from '../../../src/modules/demo/welcome.ts'

const demo = { program: { name: 'Acme' } as Program, secret: 'trib_sk_x', coupon: 'ADA20' }

it('contains the API key, the addresses and a curl command', () => {
  const text = welcome({ demo, address: 'http://localhost:4000', adminTokenFile: 'data/admin-token', setUpLink: null })
  expect(text).toContain("curl -s -u 'trib_sk_x:' 'http://localhost:4000/v1/commissions?limit=2'\n")
  for (const address of ['/graphql', '/docs', '/v1/openapi.json', '/demo/shop'])
    expect(text).toContain(`http://localhost:4000${address}\n`)
  expect(text).toContain('in data/admin-token')
})

it('refers to ADMIN_TOKEN when no file contains the operator token', () => {
  expect(welcome({ demo, address: '', adminTokenFile: null, setUpLink: null })).toContain('as set by ADMIN_TOKEN')
})
