import { readableOn, textOn } from '../../kernel/colors.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'

/** A subject and a text, with variables such as `{{program}}`. Empty lines separate the paragraphs of the text. */
export type Template = { subject: string; text: string }

/** What a mail has of the program's look, as the portal has it. */
export type Brand = { color: string | null; logoUrl: string | null }

export type Frame = Brand & {
  language: string
  /** The name of the program, above the text. */
  program: string
  /** What the buttons of links say. */
  button: string
  /** Small print below the text, with variables: why the mail came, and how to stop it. */
  footer: string
}

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g
/** A paragraph that is one link. It becomes a button in HTML. */
const onlyLink = /^\{\{\s*([a-z_]*link)\s*\}\}$/
/** A line of small print that ends in an address. In HTML its words are the link. */
const linkLine = /^(.*?)\s*[:：]\s*\{\{\s*(unsubscribe|preferences)\s*\}\}$/

/** Fills a template in. Values are text: nothing in them is HTML, and no line break gets into the subject. */
export function fillIn({ subject, text }: Template, values: Readonly<Record<string, string>>, frame: Frame) {
  const fill = (part: string) => part.replace(variable, (_, name: string) => values[name] ?? '')
  const paragraphs = text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => fill(paragraph).trim() !== '')
  const small = frame.footer.split('\n').flatMap((line) => smallOf(line, values, fill) ?? [])
  const footer = small.length === 0 ? [] : ['-- ', ...small.map(({ text }) => text)]
  const filled = { subject: oneLine(fill(subject)), paragraphs, small }
  return {
    subject: filled.subject,
    text: `${[paragraphs.map(fill).join('\n\n'), ...footer].join('\n')}\n`,
    html: htmlOf(filled, values, fill, frame),
  }
}

/** Names are typed by people, and must not look like lines of ours. */
export const oneLine = (name: string): string => name.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

/** The colours of the pages: see src/pages/parts/style/colors.css. */
const light = { ground: '#f6f5f1', paper: '#ffffff', text: '#23282b', quiet: '#5d666b', line: '#e3e1da' }
const dark = { ground: '#15191a', paper: '#1d2324', text: '#e6e9e7', quiet: '#a0aaa8', line: '#313a3b' }
const ownColor = '#1b6b5a'

/**
 * Mail programs that know dark colours take these. Others show the light ones, or invert colours: each text has its
 * ground beside it, so both are inverted. Logos are made for white paper.
 */
const darkStyle = (color: string) => `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${dark.ground} !important}
.paper{background:${dark.paper} !important;color:${dark.text} !important;border-color:${dark.line} !important}
.quiet{background:${dark.paper} !important;color:${dark.quiet} !important;border-color:${dark.line} !important}
.logo{background:#ffffff !important;padding:4px}
.button{border-color:${readableOn(dark.paper, color)} !important}
}
</style>`

/** Old mail programs read `height`, the others `max-height`. Without images, the alternative text is the name. */
const headOf = ({ logoUrl, program }: Frame): string =>
  logoUrl?.startsWith('https://')
    ? `<img class="logo" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(program)}" height="40" style="display:block;height:auto;max-height:40px;max-width:100%;color:${light.quiet}">`
    : escapeHtml(program)

/** A line of small print, as text and as HTML. */
type Small = { text: string; html: string }

type Filled = { subject: string; paragraphs: readonly string[]; small: readonly Small[] }

/** One column of tables with inline styles, which old mail programs show. It loads nothing but the logo. */
function htmlOf(
  { subject, paragraphs, small }: Filled,
  values: Readonly<Record<string, string>>,
  fill: (part: string) => string,
  frame: Frame,
): string {
  const { language, button } = frame
  const color = frame.color ?? ownColor
  const rows = paragraphs.map((paragraph) => {
    const [, link] = onlyLink.exec(paragraph) ?? []
    const url = link && values[link]
    return url
      ? `<p style="margin:24px 0"><a href="${escapeHtml(url)}" class="button" style="display:inline-block;padding:12px 20px;border:1px solid ${readableOn(light.paper, color)};border-radius:6px;background:${color};color:${textOn(color)};text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>`
      : `<p style="margin:0 0 16px">${escapeHtml(fill(paragraph)).replaceAll('\n', '<br>')}</p>`
  })
  const cell = `${font};background:${light.paper};overflow-wrap:anywhere;word-break:break-word`
  const footer =
    small.length === 0
      ? ''
      : `<tr><td class="quiet" style="padding:16px 24px 24px;border-top:1px solid ${light.line};${cell};font-size:13px;line-height:1.5;color:${light.quiet}">
${small.map(({ html }) => `<p style="margin:0 0 4px">${html}</p>`).join('\n')}
</td></tr>
`
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title>
${darkStyle(color)}</head>
<body class="ground" style="margin:0;background:${light.ground}">
<div role="main" lang="${escapeHtml(language)}">
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground}"><tr><td align="center" style="padding:24px 12px">
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;table-layout:fixed;background:${light.paper};color:${light.text};border:1px solid ${light.line};border-radius:8px;border-collapse:separate;overflow:hidden">
<tr><td class="quiet" style="padding:24px 24px 0;${cell};font-size:14px;color:${light.quiet};text-align:left">${headOf(frame)}</td></tr>
<tr><td class="paper" style="padding:12px 24px 8px;${cell};font-size:16px;line-height:1.5;color:${light.text};text-align:left">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
${rows.join('\n')}
</td></tr>
${footer}</table></td></tr></table>
</div></body></html>
`
}

/** Null for an empty line, and for a link without an address. */
function smallOf(line: string, values: Readonly<Record<string, string>>, fill: (part: string) => string): Small | null {
  const text = fill(line)
  const [, words = '', name] = linkLine.exec(line) ?? []
  if (name === undefined) return text === '' ? null : { text, html: escapeHtml(text) }
  const url = values[name]
  if (!url) return null
  const style = `color:${light.quiet};text-decoration:underline`
  return { text, html: `<a class="quiet" href="${escapeHtml(url)}" style="${style}">${escapeHtml(fill(words))}</a>` }
}
