import { z } from 'zod'
import {
  clearable,
  described,
  file,
  oneOf,
  optional,
  required,
  text,
  unchangedIfAbsent,
} from '../../kernel/input/fields.ts'
import { pageUrl } from '../../kernel/input/page-url.ts'

export const assetKinds = ['image', 'text', 'video'] as const

/** A larger one would be slow on the pages of affiliates, and does not fit into a request. */
export const maxImageBytes = 512 * 1024

const name = described(text(200), 'What affiliates see it under.', { example: 'Banner 300 × 250' })
const shared = described(
  text(5_000),
  'The text to share. `{{link}}` in it is the address of the affiliate; without it, the address is added at the end. Of an image: what it shows, for people who do not see it.',
)
const video = described(pageUrl(), 'The address of the video.')
const page = described(
  pageUrl(),
  "A page of the program's site, which the affiliate's link leads to. Default: the campaign's.",
)

export const createAssetInput = z.object({
  kind: required(described(oneOf('AssetKind', assetKinds), 'What it is.')),
  name: required(name),
  text: optional(shared),
  url: optional(video),
  page: optional(page),
  content: optional(
    described(
      file(),
      `The image as base64: PNG, JPEG, GIF or WebP, at most ${maxImageBytes / 1024} KiB. It cannot be changed later, because pages show it.`,
    ),
  ),
})

export const updateAssetInput = z.object({
  name: unchangedIfAbsent(name),
  text: clearable(shared),
  url: clearable(video),
  page: clearable(page),
})

/** A text to share with the affiliate's address: in the place of `{{link}}`, else after it. */
export const withLink = (shared: string, address: string): string => {
  const filled = shared.replace(/\{\{\s*link\s*\}\}/g, () => address)
  return filled === shared ? `${shared} ${address}` : filled
}
