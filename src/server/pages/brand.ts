import { contentOf } from '../../http/conditional.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { contentSecurity } from './security-headers.ts'

/** WCAG 2.2 AA, for text. */
const leastContrast = 4.5
/** The darkest light surface and the lightest dark one of src/pages/parts/style/colors.css. */
const surfaces = { light: '#f3f2ee', dark: '#252c2d' } as const

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
function readableOn(surface: string, color: string): string {
  const end = read(textOn(surface))
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = write(read(color).map((one, at) => one + ((end[at] ?? 0) - one) * share))
    if (contrast(mixed, surface) >= leastContrast) return mixed
  }
  return write(end)
}

/** Buttons have the colour itself. Text and lines have a shade of it that is readable, light and dark. */
const styleOf = (color: string): string => {
  const [light, dark] = [readableOn(surfaces.light, color), readableOn(surfaces.dark, color)]
  return `:root{--brand:${color};--on-brand:${textOn(color)};--accent:light-dark(${light},${dark});--on-accent:light-dark(${textOn(light)},${textOn(dark)})}\n`
}

const headers = { ...contentSecurity, 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }

/** `color-1f5eff.css`. Pages have no inline style, because their Content-Security-Policy forbids it. */
export function colorFile(name: string): ReturnType<typeof contentOf> | undefined {
  const [, color] = /^color-([0-9a-f]{6})\.css$/i.exec(name) ?? []
  return color === undefined ? undefined : contentOf(styleOf(`#${color.toLowerCase()}`), headers)
}

/** The element that loads a program's colour. @param folder where the file is, relative to the page */
export const colorLink = (color: string | null, folder = ''): string =>
  color === null ? '' : `<link rel="stylesheet" href="${folder}color-${escapeHtml(color.slice(1).toLowerCase())}.css">`

/** The origin of a logo, which the Content-Security-Policy allows. */
export const logoOrigins = (logoUrl: string | null): string[] => (logoUrl === null ? [] : [new URL(logoUrl).origin])

/** What the portal reads before anybody has signed in: see src/pages/portal/brand.tsx. */
export const brandMeta = (name: string, logoUrl: string | null): string =>
  `\n    <meta name="program" content="${escapeHtml(name)}"${logoUrl === null ? '' : ` data-logo="${escapeHtml(logoUrl)}"`}>\n    `
