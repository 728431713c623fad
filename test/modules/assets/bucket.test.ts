import { afterAll, beforeEach, expect, it } from 'vitest'
import { createBucket } from '../../../src/server/operations/bucket.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createS3 } from '../../support/s3.ts'

const s3 = await createS3()
const test = await createTestApp({ bucket: s3.bucket })
afterAll(s3.close)
beforeEach(() => s3.failures.clear())

/** The smallest PNG: one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const create = async (program: TestProgram): Promise<{ id: string; fileUrl: string }> =>
  (
    await program.graphql(
      'mutation ($content: String!) { createAsset(input: { kind: IMAGE, name: "Banner", content: $content }) { asset { id fileUrl } } }',
      { content: png },
    )
  ).createAsset.asset
const run = (program: TestProgram, name: string, id: string) =>
  program.graphql(`mutation ($id: ID!) { ${name}(input: { id: $id }) { asset { id } } }`, { id })
const load = (url: string, app = test.app) => app.fetch(new Request(url))
const stray = () => test.database.db.strayObject.count()
const upkeep = async (minutes: number) => {
  test.clock.advanceMinutes(minutes)
  await test.app.deleteStrayObjects()
}

it('an image is in the bucket, and is served by the service with its own header fields', async () => {
  const program = await test.createProgram()
  const { id, fileUrl } = await create(program)
  expect(s3.objects.get(`${program.id}/${id}`)).toEqual({
    content: Buffer.from(png, 'base64'),
    mediaType: 'image/png',
  })
  expect(await test.database.db.assetFile.findMany({ where: { assetId: id } })).toMatchObject([{ content: null }])
  const file = await load(fileUrl)
  expect(file.status).toBe(200)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe(png)
  await upkeep(61)
  expect([s3.objects.has(`${program.id}/${id}`), await stray()]).toEqual([true, 0])
})

it('a bucket that fails creates nothing, and the error says what to do', async () => {
  const program = await test.createProgram()
  s3.failures.set('PUT', 503)
  await expect(create(program)).rejects.toThrow('The bucket of files did not store the file. Try again later')
  expect((await program.graphql('{ assets { id } }')).assets).toEqual([])
  expect(await test.database.db.assetFile.count({ where: { programId: program.id } })).toBe(0)
})

it('a file whose asset was not created is deleted after an hour', async () => {
  const program = await test.createProgram()
  const { id } = await create(program)
  // As if the process had been killed between the upload and the transaction.
  await test.database.db.assetFile.deleteMany({ where: { assetId: id } })
  await test.app.deleteStrayObjects()
  expect(s3.objects.has(`${program.id}/${id}`)).toBe(true)
  await upkeep(61)
  expect([s3.objects.has(`${program.id}/${id}`), await stray()]).toEqual([false, 0])
})

it('an asset is deleted after it was archived, with its file, also if the bucket fails first', async () => {
  const program = await test.createProgram()
  const { id } = await create(program)
  await expect(run(program, 'deleteAsset', id)).rejects.toThrow('Archive the asset first')
  await run(program, 'archiveAsset', id)
  await run(program, 'deleteAsset', id)
  await expect(run(program, 'deleteAsset', id)).rejects.toThrow('not found')
  expect((await program.graphql('{ assets(includeArchived: true) { id } }')).assets).toEqual([])
  s3.failures.set('DELETE', 500)
  await expect(upkeep(1)).rejects.toThrow('did not delete')
  s3.failures.clear()
  await test.app.deleteStrayObjects()
  expect([s3.objects.has(`${program.id}/${id}`), await stray()]).toEqual([false, 0])
  // The sub-id of a deleted asset counts nothing else.
  const { createAsset } = await program.graphql(
    'mutation { createAsset(input: { kind: TEXT, name: "Line", text: "Try" }) { asset { sub } } }',
  )
  expect(createAsset.asset.sub).toBe('asset-2')
})

it('the files of a deleted program are deleted a week later: until then, it can be imported again', async () => {
  const program = await test.createProgram()
  const { id } = await create(program)
  await test.operator(
    'mutation ($id: ID!, $slug: String!) { deleteProgram(input: { id: $id, confirmSlug: $slug }) { deletedRows } }',
    { id: program.id, slug: program.slug },
  )
  await upkeep(7 * 24 * 60 - 1)
  expect(s3.objects.has(`${program.id}/${id}`)).toBe(true)
  await upkeep(1)
  expect(s3.objects.has(`${program.id}/${id}`)).toBe(false)
})

it('an image whose bucket does not respond is an error that can be tried again, and one that is lost is not found', async () => {
  const program = await test.createProgram()
  const { id, fileUrl } = await create(program)
  s3.failures.set('GET', 503)
  expect((await load(fileUrl)).status).toBe(503)
  s3.failures.clear()
  expect((await load(fileUrl)).status).toBe(200)
  const lost = await create(program)
  s3.objects.delete(`${program.id}/${lost.id}`)
  expect((await load(lost.fileUrl)).status).toBe(404)
  expect(s3.objects.has(`${program.id}/${id}`)).toBe(true)
})

it('the doctor says whether the bucket can be used', async () => {
  const ask = async () => (await test.operator('{ doctor(only: []) { bucketProblem } }')).doctor.bucketProblem
  expect(await ask()).toBeNull()
  s3.failures.set('PUT', 403)
  expect(await ask()).toBe('The bucket of ASSETS_BUCKET cannot be used: it answered 403 SlowDown.')
  expect([...s3.objects.keys()].filter((key) => key.startsWith('check-'))).toEqual([])
})

it.each([
  ['a wrong secret', { secret: 'wrong' }, 'it answered 403 SignatureDoesNotMatch'],
  ['a bucket that does not exist', { url: s3.settings.url.replace('assets', 'none') }, 'it does not exist'],
  ['a port at which nothing listens', { url: 'http://127.0.0.1:9/assets' }, /E[A-Z]+|bad port/],
])('%s is named', async (_, changed, problem) => {
  const settings = Object.assign({ ...s3.settings }, changed)
  expect(await createBucket({ settings, log: silentLog, timeoutMs: 1_000 }).findProblem()).toMatch(problem)
})

it('without the setting, an image in the bucket is an error that names it', async () => {
  const program = await test.createProgram()
  const { fileUrl } = await create(program)
  const { app } = await createTestApp({ database: { ...test.database, drop: async () => {} } })
  const response = await load(fileUrl, app)
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('ASSETS_BUCKET')])
})
