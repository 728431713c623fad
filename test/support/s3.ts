import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AwsV4Signer } from 'aws4fetch'
import { createBucket } from '../../src/server/operations/bucket.ts'
import { silentLog } from './database.ts'

const keys = { accessKeyId: 'key-of-the-tests', secretAccessKey: 'secret/of+the tests' }
const region = 'eu-west-1'

/** A server on this machine that speaks as much of Amazon S3 as the service uses, and checks each signature. */
export async function createS3() {
  const objects = new Map<string, { content: Buffer; mediaType: string }>()
  /** What is answered instead: to PUT, GET or DELETE. */
  const failures = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    const answer = (status: number, body: string | Buffer = '') => void response.writeHead(status).end(body)
    const { method = '', url = '', headers } = request
    const failure = failures.get(method)
    if (failure) return answer(failure, '<Error><Code>SlowDown</Code></Error>')
    const signed = await new AwsV4Signer({
      ...keys,
      ...{
        region,
        service: 's3',
        method,
        url: `http://${headers.host}${url}`,
        datetime: String(headers['x-amz-date']),
      },
      headers: { 'X-Amz-Content-Sha256': String(headers['x-amz-content-sha256']) },
    }).sign()
    if (signed.headers.get('authorization') !== headers.authorization)
      return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', content)).toString('hex')
    if (hash !== headers['x-amz-content-sha256']) return answer(400, '<Error><Code>BadDigest</Code></Error>')
    if (!url.startsWith('/assets/')) return answer(404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = url.slice('/assets/'.length)
    if (method === 'PUT') objects.set(key, { content, mediaType: String(headers['content-type']) })
    if (method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    const object = objects.get(key)
    return object ? answer(200, method === 'GET' ? object.content : '') : answer(404)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  const settings = {
    url: `http://127.0.0.1:${port}/assets`,
    ...{ region, keyId: keys.accessKeyId, secret: keys.secretAccessKey },
  }
  return {
    settings,
    objects,
    failures,
    bucket: createBucket({ settings, log: silentLog, timeoutMs: 1_000 }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
