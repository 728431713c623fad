import { english, type PartTexts } from '../../texts/en/parts.ts'

let texts: PartTexts = english

export const partTexts = (): PartTexts => texts

/** For pages in other languages than English. */
export function setPartTexts(given: PartTexts): void {
  texts = given
}
