import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import anyAscii from 'any-ascii'
import { create, type Font } from 'fontkit'
import { findPackageRoot } from '../../../kernel/package-root.ts'

/** Noto Sans in parts, as scripts/build.mjs copies them to dist. The first part that has a letter writes it. */
const parts = [
  'noto-sans-latin',
  'noto-sans-latin-ext',
  'noto-sans-vietnamese',
  'noto-sans-greek',
  'noto-sans-greek-ext',
  'noto-sans-cyrillic',
  'noto-sans-cyrillic-ext',
  'noto-sans-devanagari',
  'noto-sans-jp-japanese',
  // Family names such as 髙橋 and 山﨑.
  'noto-sans-jp-66',
  'noto-sans-jp-67',
]

/** Letters that one font writes. */
export type Run = { font: Font; text: string }

let read: Promise<Font[]> | undefined

/** The fonts, which are read once. */
export function readFonts(): Promise<readonly Font[]> {
  read ??= Promise.all(parts.map(readFont))
  return read
}

async function readFont(name: string): Promise<Font> {
  const woff = await readFile(join(findPackageRoot(), 'dist', 'fonts', `${name}-400-normal.woff`))
  const font = create(sfntOf(woff))
  if (!('layout' in font)) throw new Error(`${name} is a collection of fonts. It must be one font.`)
  return font
}

/**
 * The font in a WOFF file (https://www.w3.org/TR/WOFF/), with its tables inflated. `fontkit` reads WOFF too, but
 * inflates a table again for each letter.
 */
function sfntOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const sfnt = Buffer.alloc(woff.readUInt32BE(16))
  woff.copy(sfnt, 0, 4, 8)
  sfnt.writeUInt16BE(count, 4)
  let offset = 12 + 16 * count
  for (let index = 0; index < count; index += 1) {
    const from = 44 + 20 * index
    const to = 12 + 16 * index
    const [begin, packedLength, length] = [from + 4, from + 8, from + 12].map((at) => woff.readUInt32BE(at)) as [
      number,
      number,
      number,
    ]
    const packed = woff.subarray(begin, begin + packedLength)
    woff.copy(sfnt, to, from, from + 4)
    woff.copy(sfnt, to + 4, from + 16, from + 20)
    sfnt.writeUInt32BE(offset, to + 8)
    sfnt.writeUInt32BE(length, to + 12)
    sfnt.set(packedLength < length ? inflateSync(packed) : packed, offset)
    offset += Math.ceil(length / 4) * 4
  }
  return sfnt
}

/** By letter. Null: no font has it. */
const known = new Map<string, Font | null>()

function fontOf(letter: string, fonts: readonly Font[]): Font | null {
  let font = known.get(letter)
  if (font === undefined) {
    font = fonts.find((one) => one.hasGlyphForCodePoint(letter.codePointAt(0) as number)) ?? null
    known.set(letter, font)
  }
  return font
}

/** Splits a text by the fonts that have its letters. Letters that no font has are written in Latin ones. */
export function runsOf(text: string, fonts: readonly Font[]): Run[] {
  const runs: Run[] = []
  const add = (font: Font, letters: string) => {
    const last = runs.at(-1)
    if (last?.font === font) last.text += letters
    else runs.push({ font, text: letters })
  }
  for (const letter of text.normalize('NFC')) {
    const font = fontOf(letter, fonts)
    if (font) add(font, letter)
    else add(fonts[0] as Font, /\p{Zs}/u.test(letter) ? ' ' : anyAscii(letter) || '?')
  }
  return runs
}
