/**
 * A path or a body with the number of its request: {n} is the number, {m} the number modulo `modulo`, {page} one more than
 * {m}, and {hex} {m} as twelve hexadecimal digits.
 */
export function numbered(text: string, n: number, modulo = Number.POSITIVE_INFINITY): string {
  const picked = n % modulo
  return text
    .replaceAll('{n}', `${n}`)
    .replaceAll('{m}', `${picked}`)
    .replaceAll('{page}', `${picked + 1}`)
    .replaceAll('{hex}', picked.toString(16).padStart(12, '0'))
}
