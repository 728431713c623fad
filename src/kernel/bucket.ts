import { isHttpUrl } from './origins.ts'

export type BucketSettings = {
  /** The address of the bucket, with the bucket in its path, without a trailing slash. */
  url: string
  region: string
  keyId: string
  secret: string
}

/** A bucket for files. A key is a path of letters, digits, hyphens and slashes. */
export type Bucket = {
  /** @throws UNAVAILABLE if the bucket did not store it */
  put(key: string, content: Uint8Array, mediaType: string): Promise<void>
  /** @returns null if there is no such object @throws UNAVAILABLE if the bucket does not respond */
  get(key: string): Promise<Uint8Array | null>
  /** Idempotent. @throws UNAVAILABLE if the bucket did not delete it */
  delete(key: string): Promise<void>
  /** Writes, reads and deletes a small object. @returns what does not work, in a sentence, or null */
  findProblem(): Promise<string | null>
}

type Given = {
  ASSETS_BUCKET?: string | undefined
  ASSETS_BUCKET_REGION: string
  ASSETS_BUCKET_KEY_ID?: string | undefined
  ASSETS_BUCKET_SECRET?: string | undefined
}

/** Reads the settings of the bucket: undefined without one, and problems. */
export function readBucketSettings(given: Given | undefined): {
  settings?: BucketSettings | undefined
  problems: string[]
} {
  const {
    ASSETS_BUCKET: url,
    ASSETS_BUCKET_REGION: region = '',
    ASSETS_BUCKET_KEY_ID: keyId,
    ASSETS_BUCKET_SECRET: secret,
  } = given ?? {}
  if (!url)
    return {
      problems: keyId || secret ? ['ASSETS_BUCKET_KEY_ID and ASSETS_BUCKET_SECRET require ASSETS_BUCKET'] : [],
    }
  const problems: string[] = []
  if (!isBucketUrl(url))
    problems.push(
      'ASSETS_BUCKET must be the address of the bucket, with its name in the path: https://s3.eu-west-1.amazonaws.com/acme-assets',
    )
  if (!keyId || !secret)
    problems.push('ASSETS_BUCKET requires ASSETS_BUCKET_KEY_ID and ASSETS_BUCKET_SECRET, an access key of the bucket')
  if (problems.length > 0 || !keyId || !secret) return { problems }
  return { settings: { url: url.replace(/\/+$/, ''), region, keyId, secret }, problems }
}

function isBucketUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { pathname, search, hash, username } = new URL(text)
  return /^(\/[\w.-]+)+\/*$/.test(pathname) && search === '' && hash === '' && username === ''
}
