/** Reads a file as UTF-8, or in an encoding of spreadsheets: UTF-16 with its mark, or Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
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
