import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson, type Json } from '../../kernel/canonical-json.ts'

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** The SHA-256 of canonical JSON, in hexadecimal digits. */
export const hashOf = (value: Json): string => sha256(canonicalJson(value)).toString('hex')

export const hashOfText = (canonical: string): string => sha256(canonical).toString('hex')

/** A personal text beside what is signed: only its hash with a salt is signed. */
export type DisclosedText = { salt: string; text: string }

export const disclosedText = (text: string): DisclosedText => ({ salt: randomBytes(16).toString('hex'), text })

export const saltedHash = ({ salt, text }: DisclosedText): string => hashOf({ salt, text })

const leafOf = (hash: string) => sha256(Buffer.of(0), Buffer.from(hash, 'hex'))
const nodeOf = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right)

/**
 * The tree of RFC 9162, section 2.1, over hashes: its root, and for each hash the path from its leaf to the root.
 * Without hashes, the root is the hash of nothing.
 */
export function treeOf(hashes: readonly string[]): { root: string; paths: string[][] } {
  const paths: string[][] = hashes.map(() => [])
  const build = (from: number, to: number): Buffer => {
    if (to - from === 1) return leafOf(hashes[from] as string)
    let size = 1
    while (size * 2 < to - from) size *= 2
    const [left, right] = [build(from, from + size), build(from + size, to)]
    for (let index = from; index < to; index += 1)
      paths[index]?.push((index < from + size ? right : left).toString('hex'))
    return nodeOf(left, right)
  }
  const root = hashes.length === 0 ? sha256() : build(0, hashes.length)
  return { root: root.toString('hex'), paths }
}
