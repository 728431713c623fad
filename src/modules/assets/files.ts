import type { Bucket } from '../../kernel/bucket.ts'
import type { AppDb } from '../../kernel/db.ts'
import { unavailable } from '../../kernel/errors.ts'

/** Where files are. The database is that of the installation, the time is the true one. */
export type Files = { db: AppDb; bucket: Bucket | undefined; now: () => Date }

type FileId = { programId: string; assetId: string }

/** Longer than any upload takes. */
const uploadMs = 3_600_000
/** Longer than the transaction that deletes a row. Until it ends, the object seems to have an asset. */
const deletionMs = 60_000
const mostAtOnce = 100

const keyOf = ({ programId, assetId }: FileId): string => `${programId}/${assetId}`

/**
 * Stores a file before the transaction that creates its row. A file without a row is deleted after an hour.
 * @param content base64 @returns the content of the row
 * @throws UNAVAILABLE if the bucket did not store it
 */
export async function storeFile(files: Files, id: FileId, content: string, mediaType: string): Promise<string | null> {
  const { bucket, now } = files
  if (!bucket) return content
  const key = keyOf(id)
  await noteStray(files, key, new Date(now().getTime() + uploadMs))
  await bucket.put(key, Buffer.from(content, 'base64'), mediaType)
  return null
}

/** The image of an asset; archived ones too, because pages of affiliates show them. @throws UNAVAILABLE */
export async function readFile(
  { db, bucket }: Pick<Files, 'db' | 'bucket'>,
  { programId, assetId }: FileId,
): Promise<{ mediaType: string; content: Uint8Array } | null> {
  const found = await db.ofProgram(programId).assetFile.findUnique({
    where: { programId_assetId: { programId, assetId } },
    include: { asset: { select: { mediaType: true, program: { select: { deletedAt: true } } } } },
  })
  if (!found || found.asset.program.deletedAt) return null
  const mediaType = found.asset.mediaType ?? ''
  if (found.content !== null) return { mediaType, content: Buffer.from(found.content, 'base64') }
  if (!bucket) throw unavailable('This file is in a bucket: the operator has to set ASSETS_BUCKET.')
  const content = await bucket.get(keyOf({ programId, assetId }))
  return content && { mediaType, content }
}

/** Has the object of a file deleted a minute later, if its row is deleted by then. */
export const deleteFileLater = (files: Files, id: FileId): Promise<void> =>
  noteStray(files, keyOf(id), new Date(files.now().getTime() + deletionMs))

/** It is committed at once. In a transaction on the embedded database, it is committed with it. */
async function noteStray({ db }: Files, key: string, dueAt: Date): Promise<void> {
  const target = db.isWithin && db.sql.isInThread ? db : db.base
  await target.strayObject.upsert({ where: { key }, create: { key, dueAt }, update: { dueAt } })
}

/** Deletes objects whose asset was not created, or is deleted. On any instance. @throws UNAVAILABLE */
export async function deleteStrayObjects({ db, bucket, now }: Files): Promise<void> {
  if (!bucket) return
  const due = await db.strayObject.findMany({
    where: { dueAt: { lte: now() } },
    orderBy: { dueAt: 'asc' },
    take: mostAtOnce,
  })
  for (const { key, dueAt } of due) {
    const [programId = '', assetId = ''] = key.split('/')
    const row = await db.assetFile.findUnique({ where: { programId_assetId: { programId, assetId } } })
    if (!row) await bucket.delete(key)
    // A note that was changed meanwhile is of a later deletion.
    await db.strayObject.deleteMany({ where: { key, dueAt } })
  }
}
