/**
 * A path or a body with the number of its request: {n} is the number, {m} the number modulo `modulo`, and {hex} the latter
 * as twelve hexadecimal digits.
 */
export function numbered(text: string, n: number, modulo = Number.POSITIVE_INFINITY): string {
  const picked = n % modulo
  return text
    .replaceAll('{n}', `${n}`)
    .replaceAll('{m}', `${picked}`)
    .replaceAll('{hex}', picked.toString(16).padStart(12, '0'))
}
