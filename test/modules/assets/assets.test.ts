import { expect, it } from 'vitest'
import { withLink } from '../../../src/modules/assets/input.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, reportSale, unknownId } from '../../support/factories.ts'
import { createPage, roomy } from '../../support/tracking.ts'

const test = await createTestApp({ tracking: roomy })

/** The smallest PNG: one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>').toString(
  'base64',
)

const run = async (program: TestProgram, name: string, input: object, selection = 'id') =>
  (
    await program.graphql(
      `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { asset { ${selection} } } }`,
      { input },
    )
  )[name].asset

async function asAffiliate(program: TestProgram, affiliateId: string, query: string) {
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: affiliateId },
  )
  const response = await test.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${createAffiliateToken.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  )
  return (await response.json()) as any
}

const load = (url: string, init = {}) => test.app.fetch(new Request(url, init))

it('an image has an address for every page, and the link of each affiliate around it', async () => {
  const program = await test.createProgram()
  const { affiliate, link } = await createSeller(program, { name: 'Launch', url: 'https://acme.test' })
  const image = await run(
    program,
    'createAsset',
    { kind: 'IMAGE', name: 'Banner "1"', text: 'Try <Acme>', content: png, page: 'https://acme.test/pricing?a=1' },
    'id sub fileUrl mediaType width height',
  )
  expect(image).toMatchObject({ sub: 'asset-1', mediaType: 'image/png', width: 1, height: 1 })
  const file = await load(image.fileUrl)
  expect(file.status).toBe(200)
  expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe(png)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const { data } = await asAffiliate(
    program,
    affiliate.id,
    '{ me { assets { address snippet visitors asset { name } } } }',
  )
  const address = `https://acme.test/pricing?a=1&via=${link.token}&sub=asset-1`
  expect(data.me.assets).toEqual([
    {
      address,
      snippet: `<a href="${address.replaceAll('&', '&amp;')}"><img src="${image.fileUrl}" width="1" height="1" alt="Try &lt;Acme&gt;"></a>`,
      visitors: 0,
      asset: { name: 'Banner "1"' },
    },
  ])
})

it('counts the visitors and conversions of each asset, for the program and for each affiliate', async () => {
  const program = await test.createProgram()
  const ada = await createSeller(program, { name: 'Ada' })
  const bob = await createSeller(program, { name: 'Bob' })
  await run(program, 'createAsset', { kind: 'TEXT', name: 'Line', text: 'Try Acme' })
  await run(program, 'createAsset', { kind: 'VIDEO', name: 'Tour', url: 'https://video.test/1' })
  let from = 0
  const visit = (token: string, sub: string) => {
    from += 1
    return createPage(test.app, program, `203.0.113.${from}`).visit(token, { url: `https://acme.test/?sub=${sub}` })
  }
  await visit(ada.link.token, 'asset-1')
  await visit(bob.link.token, 'asset-1')
  const { body } = await visit(bob.link.token, 'asset-2')
  await program.graphql('mutation ($input: RecordLeadInput!) { recordLead(input: $input) { referral { id } } }', {
    input: { referralId: body.referral_id, email: 'grace@customers.test' },
  })
  await reportSale(program, { email: 'grace@customers.test' })
  const { assets } = await program.graphql('{ assets { name visitors conversions } }')
  expect(assets).toEqual([
    { name: 'Tour', visitors: 1, conversions: 1 },
    { name: 'Line', visitors: 2, conversions: 0 },
  ])
  const { data } = await asAffiliate(program, ada.affiliate.id, '{ me { assets { visitors snippet } } }')
  expect(data.me.assets).toEqual([
    { visitors: 0, snippet: `https://video.test/1\nhttps://acme.test/?via=${ada.link.token}&sub=asset-2` },
    { visitors: 1, snippet: `Try Acme https://acme.test/?via=${ada.link.token}&sub=asset-1` },
  ])
})

it.each([
  ['an SVG', { kind: 'IMAGE', content: svg }, 'must be a PNG, JPEG, GIF or WebP image'],
  [
    'HTML',
    { kind: 'IMAGE', content: Buffer.from('<html>').toString('base64') },
    'must be a PNG, JPEG, GIF or WebP image',
  ],
  ['text that is not base64', { kind: 'IMAGE', content: '***' }, 'must be base64'],
  ['a megabyte of blanks', { kind: 'IMAGE', content: `A${' '.repeat(900_000)}!` }, 'must be base64'],
  [
    'an image of 513 KiB',
    { kind: 'IMAGE', content: Buffer.alloc(513 * 1024).toString('base64') },
    'is too large (at most 512 KiB)',
  ],
  ['an image without a file', { kind: 'IMAGE' }, "can't be blank for an image"],
  ['a text without text', { kind: 'TEXT' }, "can't be blank for a text"],
  ['a video without an address', { kind: 'VIDEO' }, "can't be blank for a video"],
  [
    'a video at an address that runs script',
    { kind: 'VIDEO', url: 'javascript:alert(1)' },
    'must be an absolute address',
  ],
])('%s is rejected', async (_name, input, message) => {
  const program = await test.createProgram()
  await expect(run(program, 'createAsset', { name: 'Banner', ...input })).rejects.toThrow(message)
  expect((await program.graphql('{ assets { id } }')).assets).toEqual([])
})

it('is changed and archived with a record in the history; the image of an archived one stays', async () => {
  const program = await test.createProgram()
  const { affiliate } = await createSeller(program, { name: 'Launch' })
  const { id, fileUrl } = await run(
    program,
    'createAsset',
    { kind: 'IMAGE', name: 'Banner', content: png },
    'id fileUrl',
  )
  expect(await run(program, 'updateAsset', { id, name: 'Big banner' }, 'name')).toEqual({ name: 'Big banner' })
  expect(await run(program, 'archiveAsset', { id }, 'archivedAt')).toEqual({ archivedAt: expect.any(String) })
  expect((await asAffiliate(program, affiliate.id, '{ me { assets { visitors } } }')).data.me.assets).toEqual([])
  expect((await load(fileUrl)).status).toBe(200)
  expect((await program.graphql('{ assets(includeArchived: true) { id } }')).assets).toEqual([{ id }])
  expect(await run(program, 'unarchiveAsset', { id }, 'archivedAt')).toEqual({ archivedAt: null })
  await expect(run(program, 'updateAsset', { id: unknownId, name: 'x' })).rejects.toThrow('not found')
})

it('belongs to its program', async () => {
  const program = await test.createProgram()
  const other = await test.createProgram()
  const { id, fileUrl } = await run(
    program,
    'createAsset',
    { kind: 'IMAGE', name: 'Banner', content: png },
    'id fileUrl',
  )
  await expect(run(other, 'archiveAsset', { id })).rejects.toThrow('not found')
  expect((await other.graphql('{ assets { id } }')).assets).toEqual([])
  expect((await load(fileUrl.replace(program.id, other.id))).status).toBe(404)
  expect((await load(fileUrl.replace('.png', '.html'))).status).toBe(404)
})

it.each([
  ['Try {{link}} today', 'Try LINK today'],
  ['{{ link }}: {{link}}', 'LINK: LINK'],
  ['Try $& Acme', 'Try $& Acme LINK'],
])('the text "%s" has the address of the affiliate in it', (text, expected) => {
  expect(withLink(text, 'LINK')).toBe(expected)
})
