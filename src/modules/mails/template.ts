import { escapeHtml } from '../../kernel/escape-html.ts'
/** A subject and a text, with variables such as `{{program}}`. Empty lines separate the paragraphs of the text. */
export type Template = { subject: string; text: string }

export type Frame = {
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

/** One column of tables with inline styles, which old mail programs show. It loads nothing. */
function htmlOf(
  paragraphs: readonly string[],
  values: Readonly<Record<string, string>>,
  fill: (part: string) => string,
  { language, program, button, footer }: Frame,
): string {
  const rows = paragraphs.map((paragraph) => {
    const [, link] = onlyLink.exec(paragraph) ?? []
    const url = link && values[link]
    return url
      ? `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5eff;color:#ffffff;text-decoration:none;font-weight:bold">${escapeHtml(button)}</a></p>`
      : `<p style="margin:0 0 16px">${escapeHtml(fill(paragraph)).replaceAll('\n', '<br>')}</p>`
  })
  const small = `<p style="margin:0;white-space:pre-line">${escapeHtml(footer)}</p>`
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px">
<tr><td style="padding:24px 28px 0;${font};font-size:14px;color:#4b5563">${escapeHtml(program)}</td></tr>
<tr><td style="padding:16px 28px 12px;${font};font-size:16px;line-height:1.5;color:#111827;overflow-wrap:anywhere">
${rows.join('\n')}
</td></tr>
<tr><td style="padding:0 28px 24px;${font};font-size:13px;line-height:1.5;color:#6b7280">${footer === '' ? '' : small}</td></tr>
</table></td></tr></table>
</body></html>
`
}
