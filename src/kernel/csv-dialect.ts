/**
 * Reads a file as UTF-8, or in an encoding of spreadsheets: UTF-16, with its mark or without, or Windows-1252.
 * @returns null if the bytes are no text in any of them
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decodedIn(bytes, encodingOf(bytes)) ?? decodeWindows(bytes)
  // Bytes that Windows-1252 does not define are control characters, which no text has.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what it looks for.
  return /[\0-\x08\x0e-\x19\x1b-\x1f\x7f-\x9f]/.test(text) ? null : text
}

/** What Windows-1252 has for 0x80 to 0x9f. Some versions of Node.js decode these bytes as control characters. */
const windowsLetters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const decodeWindows = (bytes: Uint8Array): string =>
  new TextDecoder('latin1')
    .decode(bytes)
    .replace(/[\x80-\x9f]/g, (control) => windowsLetters[control.charCodeAt(0) - 0x80] ?? control)

/** What a person can do about such a file. */
export const notText =
  'It is no text file in UTF-8, UTF-16 or Windows-1252. Save the table as "CSV UTF-8", and use that file.'

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // A text has no zeros. In UTF-16, one byte of each Latin letter and separator is zero.
  const head = bytes.subarray(0, 1_000)
  const [even, odd] = [head.some(isZero(0)), head.some(isZero(1))]
  return even === odd ? 'utf-8' : odd ? 'utf-16le' : 'utf-16be'
}

const isZero = (parity: number) => (byte: number, index: number) => byte === 0 && index % 2 === parity

function decodedIn(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const separators = [',', ';', '\t', '|'] as const

/**
 * How spreadsheets write CSV: with a byte order mark, any line endings, the country's separator, and in Excel perhaps a
 * first line such as `sep=;`, which is left empty so that lines keep their numbers.
 * @returns the text with line feeds only, and the separator of its values
 */
export function readDialect(csv: string): { text: string; separator: string } {
  const lines = csv.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const [line = '', named] = /^"?sep=([,;\t|])"?[^\S\n]*(?=\n|$)/i.exec(lines) ?? []
  const text = lines.slice(line.length)
  return { text, separator: named ?? mostFrequent(text) }
}

function mostFrequent(text: string): string {
  const [header = ''] = text
    .trimStart()
    .slice(0, 10_000)
    .replace(/"[^"]*"/g, '')
    .split('\n', 1)
  const count = (separator: string) => header.split(separator).length
  return separators.reduce((best: string, one) => (count(one) > count(best) ? one : best), ',')
}
