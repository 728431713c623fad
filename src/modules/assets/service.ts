import { withTransaction } from '../../database/client/transaction.ts'
import type { Asset, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, type Problem, refused } from '../../kernel/errors.ts'
import { isId, mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordProgramChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { deleteFileLater, type Files, storeFile } from './files.ts'
import { type Image, readImage } from './image.ts'
import { createAssetInput, updateAssetInput } from './input.ts'

const mostAssets = 500

/** The assets of the program, the newest first. */
export const listAssets = ({ db, program }: ProgramCtx, withArchived: boolean): Promise<Asset[]> =>
  db.asset.findMany({
    where: { programId: program.id, deletedAt: null, ...(withArchived ? {} : { archivedAt: null }) },
    orderBy: { number: 'desc' },
  })

/** @throws NOT_FOUND */
export async function findAsset({ db, program }: ProgramCtx, id: string): Promise<Asset> {
  const found = isId(id) ? await db.asset.findUnique({ where: keyOf(program.id, id) }) : null
  if (!found || found.deletedAt) throw notFound('Asset', id)
  return found
}

const keyOf = (programId: string, id: string) => ({ programId_id: { programId, id } })

type Values = { kind?: string; text?: string | null; url?: string | null }

/** A text needs its text, and a video its address. */
function missing({ kind, text, url }: Values): Problem[] {
  return [
    ...(kind === 'text' && !text ? [problem('text', "can't be blank for a text")] : []),
    ...(kind === 'video' && !url ? [problem('url', "can't be blank for a video")] : []),
    ...(kind !== undefined && kind !== 'video' && url ? [problem('url', 'is only for videos')] : []),
  ]
}

/** @throws INVALID_INPUT; REFUSED above the number of assets that a program can have; UNAVAILABLE for the bucket */
export async function createAsset(ctx: ProgramCtx, files: Files, raw: unknown): Promise<Asset> {
  let image: Image | undefined
  const { content, ...input } = await parseInput(createAssetInput, raw, (given): Problem[] => {
    const { kind, content } = given
    if (kind !== 'image') return [...missing(given), ...(content ? [problem('content', 'is only for images')] : [])]
    if (!content) return [...missing(given), problem('content', "can't be blank for an image")]
    const read = readImage(content)
    if (typeof read === 'string') return [...missing(given), problem('content', read)]
    image = read
    return missing(given)
  })
  const programId = ctx.program.id
  const now = ctx.now()
  const id = mintId(now)
  const { mediaType = '' } = image ?? ({} as Partial<Image>)
  const stored = content && (await storeFile(files, { programId, assetId: id }, content.replace(/\s/g, ''), mediaType))
  return withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    const { _max } = await tx.asset.aggregate({ where: { programId }, _max: { number: true } })
    if ((await tx.asset.count({ where: { programId, deletedAt: null } })) >= mostAssets)
      throw refused(`A program can have at most ${mostAssets} assets, archived ones included.`)
    const number = (_max.number ?? 0) + 1
    const asset = await tx.asset.create({
      data: { programId, id, number, ...input, ...image, createdAt: now, updatedAt: now },
    })
    if (stored !== undefined) await tx.assetFile.create({ data: { programId, assetId: id, content: stored } })
    await record(tx, ctx, null, asset, now)
    return asset
  })
}

/** Updates the given fields. @throws NOT_FOUND; INVALID_INPUT */
export async function updateAsset(ctx: ProgramCtx, id: string, raw: unknown): Promise<Asset> {
  const before = await findAsset(ctx, id)
  const input = await parseInput(updateAssetInput, raw, (given) => {
    const changed = Object.entries(given).filter(([, value]) => value !== undefined)
    return missing({ ...before, ...Object.fromEntries(changed) })
  })
  return change(ctx, before, input)
}

/** Archives an asset, or takes that back: affiliates do not see it then, and its image stays. Idempotent. */
export async function archiveAsset(ctx: ProgramCtx, id: string, isArchived: boolean): Promise<Asset> {
  const before = await findAsset(ctx, id)
  if ((before.archivedAt !== null) === isArchived) return before
  return change(ctx, before, { archivedAt: isArchived ? ctx.now() : null })
}

/** Deletes an asset and its image, for good. @throws NOT_FOUND; REFUSED unless it is archived */
export async function deleteAsset(ctx: ProgramCtx, files: Files, id: string): Promise<Asset> {
  const found = await findAsset(ctx, id)
  refuseUnlessArchived(found)
  const { programId, mediaType } = found
  if (mediaType !== null) await deleteFileLater(files, { programId, assetId: id })
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const before = await lockAsset(tx, programId, id)
    refuseUnlessArchived(before)
    await tx.assetFile.deleteMany({ where: { programId, assetId: id } })
    const after = await tx.asset.update({ where: keyOf(programId, id), data: { deletedAt: now, updatedAt: now } })
    await recordProgramChange(tx, ctx, shown(before), { asset: null }, now)
    return after
  })
}

function refuseUnlessArchived({ archivedAt }: Asset): void {
  if (!archivedAt) throw refused('Archive the asset first: pages that show its image will show none.')
}

/** Reads an asset under the lock of the program. @throws NOT_FOUND if another request has deleted it meanwhile */
async function lockAsset(tx: Prisma.TransactionClient, programId: string, id: string): Promise<Asset> {
  await lockProgram(tx, programId)
  const asset = await tx.asset.findUniqueOrThrow({ where: keyOf(programId, id) })
  if (asset.deletedAt) throw notFound('Asset', id)
  return asset
}

async function change(ctx: ProgramCtx, { programId, id }: Asset, data: Prisma.AssetUpdateInput): Promise<Asset> {
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const before = await lockAsset(tx, programId, id)
    const after = await tx.asset.update({ where: keyOf(programId, id), data: { ...data, updatedAt: now } })
    await record(tx, ctx, before, after, now)
    return after
  })
}

/** What the history shows of an asset. */
const shown = ({ number, kind, name, text, url, page, archivedAt }: Asset) => ({
  asset: { number, kind, name, text, url, page, archived: archivedAt !== null },
})

function record(tx: Prisma.TransactionClient, ctx: ProgramCtx, before: Asset | null, after: Asset, now: Date) {
  return recordProgramChange(tx, ctx, before && shown(before), shown(after), now)
}
