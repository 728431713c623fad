import { contentOf } from '../../http/conditional.ts'
import { readableOn, textOn } from '../../kernel/colors.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { contentSecurity } from './security-headers.ts'

/** The darkest light surface and the lightest dark one of src/pages/parts/style/colors.css. */
const surfaces = { light: '#f3f2ee', dark: '#252c2d' } as const

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

/** The name of the file, as `colorFile` reads it. */
export const colorPath = (color: string): string => `color-${color.slice(1).toLowerCase()}.css`

/** The element that loads a program's colour. @param folder where the file is, relative to the page */
export const colorLink = (color: string | null, folder = ''): string =>
  color === null ? '' : `<link rel="stylesheet" href="${folder}${escapeHtml(colorPath(color))}">`

/** The origin of a logo, which the Content-Security-Policy allows. */
export const logoOrigins = (logoUrl: string | null): string[] => (logoUrl === null ? [] : [new URL(logoUrl).origin])

/** The directives that allow a logo. */
export const logoDirectives = (logoUrl: string | null): string[] =>
  logoOrigins(logoUrl).map((origin) => `img-src ${origin}`)

/** What the portal reads before anybody has signed in: see src/pages/portal/brand.tsx. */
export const brandMeta = (name: string, logoUrl: string | null): string =>
  `\n    <meta name="program" content="${escapeHtml(name)}"${logoUrl === null ? '' : ` data-logo="${escapeHtml(logoUrl)}"`}>\n    `

/** The program's logo, else its name, above what a page says. */
export const brandTop = (name: string, logoUrl: string | null): string =>
  logoUrl === null
    ? `<p class="program">${escapeHtml(name)}</p>`
    : `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}">`
