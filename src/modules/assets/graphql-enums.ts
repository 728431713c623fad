import type { AssetKind } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'

export const AssetKindEnum = defineEnum('AssetKind', 'What affiliates share.', {
  image: 'An image, which links to the page.',
  text: 'A text, with the link at its end.',
  video: 'A video at another address, with the link beside it.',
} satisfies Record<AssetKind, string>)
