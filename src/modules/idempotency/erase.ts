import type { Prisma } from '../../generated/prisma/client.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { type Answer, boundTo } from './answer-once.ts'

/** Answers that are read at a time. Other requests go on between them. */
const batchSize = 200

/** What a person is recognised by. Names count only as whole values, because a name can be a part of any word. */
export type Mentioned = { addresses: readonly string[]; names: readonly string[] }

/** Deletes the kept answers that mention a person. Their keys stay: the requests are not carried out again. */
export async function eraseAnswers(
  tx: Prisma.TransactionClient,
  { programId, key }: { programId: string; key: Buffer },
  { addresses, names }: Mentioned,
): Promise<void> {
  const texts = [...addresses, ...names.map((name) => JSON.stringify(name))].map((text) => text.toLowerCase())
  for (let after = ''; ; ) {
    const kept = await tx.idempotencyKey.findMany({
      where: { scope: programId, keyHash: { gt: after }, answer: { not: null } },
      orderBy: { keyHash: 'asc' },
      take: batchSize,
    })
    const found = kept.filter((row) => {
      const answer = decryptSecret(key, boundTo(row), row.answer ?? '')
      // What cannot be read was encrypted with a lost key.
      const body = answer && (JSON.parse(answer) as Answer).body.toLowerCase()
      return body && texts.some((text) => body.includes(text))
    })
    const keyHash = { in: found.map((row) => row.keyHash) }
    if (found.length > 0)
      await tx.idempotencyKey.updateMany({ where: { scope: programId, keyHash }, data: { answer: null } })
    const last = kept.at(-1)
    if (kept.length < batchSize || !last) return
    after = last.keyHash
  }
}
