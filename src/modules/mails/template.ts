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
  /** Small print below the text: why the mail came, and how to stop it. */
  footer: string
}

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g
/** A paragraph that is one link. It becomes a button in HTML. */
const onlyLink = /^\{\{\s*([a-z_]*link)\s*\}\}$/

/** Fills a template in. Values are text: nothing in them is HTML, and no line break gets into the subject. */
export function fillIn({ subject, text }: Template, values: Readonly<Record<string, string>>, frame: Frame) {
  const fill = (part: string) => part.replace(variable, (_, name: string) => values[name] ?? '')
  const paragraphs = text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => fill(paragraph).trim() !== '')
  const footer = frame.footer === '' ? [] : ['-- ', frame.footer]
  return {
    subject: oneLine(fill(subject)),
    text: `${[paragraphs.map(fill).join('\n\n'), ...footer].join('\n')}\n`,
    html: htmlOf(paragraphs, values, fill, frame),
  }
}

/** Names are typed by people, and must not look like lines of ours. */
export const oneLine = (name: string): string => name.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const font = 'font-family:Arial,Helvetica,sans-serif'
const ownColor = '#1f5eff'
const paper = { light: '#ffffff', dark: '#1d2324' }

/**
 * Mail programs that know dark colours take these. Others show the light ones, or invert colours: each text has its
 * ground beside it, so both are inverted. Logos are made for white paper.
 */
const darkStyle = (color: string) => `<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:#141819 !important}
.paper{background:${paper.dark} !important;color:#e8e6e1 !important}
.quiet{color:#a9b1b1 !important}
.logo{background:#ffffff !important;padding:4px}
.button{border-color:${readableOn(paper.dark, color)} !important}
}
</style>`

/** Old mail programs read `height`, the others `max-height`. Without images, the alternative text is the name. */
const headOf = ({ logoUrl, program }: Frame): string =>
  logoUrl?.startsWith('https://')
    ? `<img class="logo" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(program)}" height="40" style="display:block;height:auto;max-height:40px;max-width:100%;color:#4b5563">`
    : escapeHtml(program)

/** One column of tables with inline styles, which old mail programs show. It loads nothing but the logo. */
function htmlOf(
  paragraphs: readonly string[],
  values: Readonly<Record<string, string>>,
  fill: (part: string) => string,
  frame: Frame,
): string {
  const { language, button, footer } = frame
  const color = frame.color ?? ownColor
  const rows = paragraphs.map((paragraph) => {
    const [, link] = onlyLink.exec(paragraph) ?? []
    const url = link && values[link]
    return url
      ? `<p style="margin:24px 0"><a href="${escapeHtml(url)}" class="button" style="display:inline-block;padding:12px 20px;border:1px solid ${readableOn(paper.light, color)};border-radius:6px;background:${color};color:${textOn(color)};text-decoration:none;font-weight:bold">${escapeHtml(button)}</a></p>`
      : `<p style="margin:0 0 16px">${escapeHtml(fill(paragraph)).replaceAll('\n', '<br>')}</p>`
  })
  const small = `<p style="margin:0;white-space:pre-line">${escapeHtml(footer)}</p>`
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
${darkStyle(color)}</head>
<body class="ground" style="margin:0;background:#f3f4f6">
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${paper.light};color:#111827;border-radius:8px">
<tr><td class="quiet" style="padding:24px 28px 0;${font};font-size:14px;color:#4b5563">${headOf(frame)}</td></tr>
<tr><td class="paper" style="padding:16px 28px 12px;${font};font-size:16px;line-height:1.5;background:${paper.light};color:#111827;overflow-wrap:anywhere">
${rows.join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:0 28px 24px;${font};font-size:13px;line-height:1.5;color:#5b6270">${footer === '' ? '' : small}</td></tr>
</table></td></tr></table>
</body></html>
`
}
