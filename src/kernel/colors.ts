/** WCAG 2.2 AA, for text. */
const leastContrast = 4.5

type Rgb = readonly number[]

const read = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const write = (color: Rgb): string => `#${color.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`

/** The relative luminance of WCAG. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = read(hex).map((one) => {
    const part = one / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever is easier to read on the colour. */
export const textOn = (color: string): string =>
  contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff'

/** The colour, mixed with black or white until text in it is readable on a surface. */
export function readableOn(surface: string, color: string): string {
  const end = read(textOn(surface))
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = write(read(color).map((one, at) => one + ((end[at] ?? 0) - one) * share))
    if (contrast(mixed, surface) >= leastContrast) return mixed
  }
  return write(end)
}
