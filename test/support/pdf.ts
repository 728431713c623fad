import { inflateSync } from 'node:zlib'

type Objects = Map<string, { text: string; content: string }>

function objectsOf(file: Buffer): Objects {
  const bytes = file.toString('latin1')
  const objects: Objects = new Map()
  for (const { 1: number, 2: body, index } of bytes.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)) {
    const text = body as string
    const begin = text.indexOf('stream\n')
    const length = Number(/\/Length (\d+)/.exec(text)?.[1] ?? 0)
    const at = index + `${number} 0 obj\n`.length + begin + 'stream\n'.length
    const raw = begin < 0 ? Buffer.alloc(0) : file.subarray(at, at + length)
    const content = text.includes('/FlateDecode') ? inflateSync(raw) : raw
    objects.set(number as string, { text, content: content.toString('latin1') })
  }
  return objects
}

const hex = (digits: string): string[] => digits.match(/[0-9a-f]{4}/g) ?? []

/** The letters of a font by its glyphs, as viewers copy them. */
function lettersOf(cmap: string): Map<string, string> {
  const letters = new Map<string, string>()
  for (const [, first, list] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
    for (const [index, [, units]] of [...(list as string).matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first as string, 16) + index).toString(16).padStart(4, '0')
      letters.set(glyph, String.fromCharCode(...hex(units as string).map((unit) => Number.parseInt(unit, 16))))
    }
  return letters
}

/** What is written on each page of a PDF of `pdfkit`, in order. */
export function pagesOfPdf(file: Buffer): string[] {
  const objects = objectsOf(file)
  const read = (number: string | undefined) => objects.get(number as string) as { text: string; content: string }
  const pages = [...objects.values()].filter(({ text }) => /\/Type \/Page\b/.test(text))
  return pages.map(({ text }) => {
    const resources = read(/\/Resources (\d+) 0 R/.exec(text)?.[1]).text
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, number]) => {
        const map = /\/ToUnicode (\d+) 0 R/.exec(read(number).text)?.[1]
        return [name, lettersOf(read(map).content)] as const
      }),
    )
    const { content } = read(/\/Contents (\d+) 0 R/.exec(text)?.[1])
    let letters: Map<string, string> | undefined
    let written = ''
    for (const [, font, glyphs] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)>/g))
      if (font) letters = fonts.get(font)
      else for (const glyph of hex(glyphs as string)) written += letters?.get(glyph) ?? '?'
    return written
  })
}
