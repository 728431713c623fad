import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kernel/same-secret.ts'

/** Proves that a link was made here. @param text what the link does, for whom, beginning with its own purpose */
export const signatureOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

export const isSignatureOf = (key: Buffer, text: string, signature: string): boolean =>
  isSameSecret(signature, signatureOf(key, text))
