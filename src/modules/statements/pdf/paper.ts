import type { Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { readFonts, runsOf } from './fonts.ts'

/** A4, in points. The origin is the upper left corner. */
export const paper = { width: 595.28, height: 841.89 }

type About = { title: string; language: string; createdAt: Date }

/** A PDF that is written from the top to the bottom. Texts stand on the line `y`. */
export class Paper {
  readonly #fonts: readonly Font[]
  readonly #document: PDFKit.PDFDocument
  readonly #chunks: Buffer[] = []

  constructor(fonts: readonly Font[], { title, language, createdAt }: About) {
    this.#fonts = fonts
    this.#document = new PDFDocument({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      // The type asks for a font. Without one, none of those that are not embedded is used.
      font: null as unknown as string,
      lang: language,
      displayTitle: true,
      // The bytes follow from the statement alone.
      info: { Title: title, Producer: 'Tributary', Creator: 'Tributary', CreationDate: createdAt },
    })
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
  }

  addPage(): void {
    this.#document.addPage()
  }

  text(size: number, x: number, y: number, text: string, isStrong = false): void {
    const document = this.#document.fontSize(size)
    if (isStrong) document.lineWidth(size / 30)
    let at = x
    for (const run of runsOf(text, this.#fonts)) {
      this.#choose(run.font).text(run.text, at, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        fill: true,
        stroke: isStrong,
      })
      at += document.widthOfString(run.text)
    }
  }

  textTo(size: number, right: number, y: number, text: string): void {
    this.text(size, right - this.width(size, text), y, text)
  }

  /** In points. */
  width(size: number, text: string): number {
    this.#document.fontSize(size)
    return runsOf(text, this.#fonts).reduce((sum, run) => sum + this.#choose(run.font).widthOfString(run.text), 0)
  }

  line(x: number, y: number, to: number): void {
    this.#document.lineWidth(0.5).moveTo(x, y).lineTo(to, y).stroke()
  }

  /** Black squares of a QR code. @param width of the code, in points */
  squares(x: number, y: number, width: number, rows: readonly (readonly boolean[])[]): void {
    const unit = width / rows.length
    rows.forEach((row, down) => {
      row.forEach((isDark, along) => {
        if (isDark) this.#document.rect(x + along * unit, y + down * unit, unit, unit)
      })
    })
    this.#document.fill()
  }

  /** The file. */
  end(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#document.once('end', () => resolve(Buffer.concat(this.#chunks)))
      this.#document.once('error', reject)
      this.#document.end()
    })
  }

  /** `pdfkit` takes fonts of `fontkit` too, which its types do not say. */
  #choose(font: Font): PDFKit.PDFDocument {
    return this.#document.font(font as unknown as string, `part ${this.#fonts.indexOf(font)}`)
  }
}

export const newPaper = async (about: About): Promise<Paper> => new Paper(await readFonts(), about)

/** Splits a text into lines of at most `width` points, between words of its language. */
export function wrapped(on: Paper, size: number, width: number, text: string, language: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (on.width(size, line) <= width) return [line]
    const lines: string[] = []
    let left = 0
    const add = (part: string) => {
      const needed = on.width(size, part)
      if (needed <= left) lines[lines.length - 1] += part
      else {
        lines.push(part)
        left = width
      }
      left -= needed
    }
    for (const part of partsOf(line, language)) {
      // A word that is wider than a line, such as an address of a page.
      if (on.width(size, part) > width) for (const letter of part) add(letter)
      else add(part)
    }
    return lines.map((one) => one.trim()).filter((one) => one !== '')
  })
}

/** Words with the blanks and the punctuation that follow them: a line begins with neither. */
function partsOf(text: string, language: string): string[] {
  const parts: string[] = []
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const last = parts.at(-1)
    const isJoined =
      last !== undefined && (/^[\s\p{Pe}\p{Pf}\p{Po}\p{Pd}]/u.test(segment) || /[\p{Ps}\p{Pi}\p{Pd}#]$/u.test(last))
    if (isJoined) parts[parts.length - 1] = last + segment
    else parts.push(segment)
  }
  return parts
}
