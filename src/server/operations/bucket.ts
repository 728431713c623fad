import { createHash, randomUUID } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Logger } from 'pino'
import type { Bucket, BucketSettings } from '../../kernel/bucket.ts'
import { unavailable } from '../../kernel/errors.ts'

type Options = { settings: BucketSettings; log: Logger; timeoutMs?: number }

/** More than the largest file that is stored. */
const maxBytes = 8 * 1024 * 1024

/** A bucket that speaks the protocol of Amazon S3. Its address is the operator's, so it can be in a private network. */
export function createBucket({ settings, log, timeoutMs = 10_000 }: Options): Bucket {
  const { url, region, keyId, secret } = settings
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: 's3',
    // Of answers with 429 and 5xx.
    retries: 2,
    initRetryMs: 100,
  })

  /** @throws an error that says what the bucket answered */
  async function ask(method: string, key: string, content?: Uint8Array, mediaType?: string): Promise<Response> {
    const hash = createHash('sha256')
      .update(content ?? '')
      .digest('hex')
    const response = await client.fetch(`${url}/${key}`, {
      method,
      headers: { 'X-Amz-Content-Sha256': hash, ...(mediaType !== undefined && { 'Content-Type': mediaType }) },
      ...(content && { body: content as BodyInit }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok || response.status === 404) return response
    const [, code = ''] = /<Code>([\w.]{1,100})<\/Code>/.exec((await response.text()).slice(0, 4_000)) ?? []
    throw new Error(`it answered ${response.status} ${code}`.trim())
  }

  const put = async (key: string, content: Uint8Array, mediaType: string) => {
    const response = await ask('PUT', key, content, mediaType)
    await response.body?.cancel()
    if (response.status === 404) throw new Error('it does not exist')
  }

  const get = async (key: string) => {
    const response = await ask('GET', key)
    if (response.status !== 404) return readAtMost(response, maxBytes)
    await response.body?.cancel()
    return null
  }

  const remove = async (key: string) => {
    const response = await ask('DELETE', key)
    await response.body?.cancel()
  }

  async function orUnavailable<T>(what: string, key: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      log.warn({ key, reason: reasonOf(error) }, `bucket did not ${what} a file`)
      throw unavailable(`The bucket of files did not ${what} the file. Try again later, and tell the operator.`)
    }
  }

  return {
    put: (key, content, mediaType) => orUnavailable('store', key, () => put(key, content, mediaType)),
    get: (key) => orUnavailable('read', key, () => get(key)),
    delete: (key) => orUnavailable('delete', key, () => remove(key)),
    async findProblem() {
      const key = `check-${randomUUID()}`
      const content = Buffer.from('Written by a check. It can be deleted.')
      try {
        await put(key, content, 'text/plain')
        const found = await get(key)
        await remove(key)
        return found && content.equals(found) ? null : 'The bucket of ASSETS_BUCKET does not return what was stored.'
      } catch (error) {
        return `The bucket of ASSETS_BUCKET cannot be used: ${reasonOf(error)}.`
      }
    },
  }
}

/** The reason of a failed `fetch` is in its cause. It holds no key. */
function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return 'it did not respond in time'
  return cause?.code ?? cause?.message ?? message
}

async function readAtMost(response: Response, bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > bytes) throw new Error('the object is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
