import type { Asset } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { oldestLinks } from '../affiliates/links/oldest.ts'
import { linkUrl } from '../affiliates/links/service.ts'
import { withLink } from './input.ts'

/** The sub-id by which visits of an asset are counted. */
export const subOf = ({ number }: Pick<Asset, 'number'>): string => `asset-${number}`

/** Where the file of an image is. Its id is in it, and the file of an asset never changes. */
export const fileUrlOf = (publicUrl: string, { programId, id, mediaType }: Asset): string | null =>
  mediaType === null ? null : `${publicUrl}/portal/assets/${programId}/${id}.${mediaType.slice('image/'.length)}`

export type AssetCounts = { visitors: number; conversions: number }

/** The visitors whom assets with these sub-ids brought, of all affiliates or of one. Runs one statement. */
export async function countBySub(
  { db, program }: ProgramCtx,
  subs: readonly string[],
  affiliateId?: string,
): Promise<AssetCounts[]> {
  const rows = await db.referral.groupBy({
    by: ['sub'],
    where: { programId: program.id, sub: { in: [...subs] }, ...(affiliateId !== undefined && { affiliateId }) },
    _count: { _all: true, becameConversionAt: true },
  })
  const found = new Map(rows.map(({ sub, _count }) => [sub, _count]))
  return subs.map((sub) => {
    const { _all: visitors = 0, becameConversionAt: conversions = 0 } = found.get(sub) ?? {}
    return { visitors, conversions }
  })
}

export type SharedAsset = { programId: string; affiliateId: string; asset: Asset; address: string | null }

/** For each affiliate, what they can share, with the address of their oldest link; null without one. */
export async function assetsOf({ db, program }: ProgramCtx, ids: readonly string[]): Promise<SharedAsset[][]> {
  const programId = program.id
  const linkOf = await oldestLinks({ db, program }, ids)
  const assets = await db.asset.findMany({ where: { programId, archivedAt: null }, orderBy: { number: 'desc' } })
  return ids.map((affiliateId) => {
    const link = linkOf.get(affiliateId)
    return assets.map((asset) => {
      const address = link && new URL(linkUrl(asset.page ?? link.affiliate.campaign.url, link.token))
      address?.searchParams.set('sub', subOf(asset))
      return { programId, affiliateId, asset, address: address?.href ?? null }
    })
  })
}

/** What an affiliate copies into a page or a message. */
export function snippetOf(publicUrl: string, { asset, address }: SharedAsset): string | null {
  if (address === null) return null
  if (asset.kind === 'text') return withLink(asset.text ?? '', address)
  if (asset.kind === 'video') return `${asset.url}\n${address}`
  const { width, height, text, name } = asset
  const src = escapeHtml(fileUrlOf(publicUrl, asset) ?? '')
  return `<a href="${escapeHtml(address)}"><img src="${src}" width="${width}" height="${height}" alt="${escapeHtml(text ?? name)}"></a>`
}
