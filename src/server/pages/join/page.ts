import { escapeHtml } from '../../../kernel/escape-html.ts'
import { type Language, languageName, languages } from '../../../kernel/languages.ts'
import type { Brand } from '../../../modules/mails/template.ts'
import type { JoinTexts } from '../../../texts/en/join.ts'
import { joinTexts } from '../../../texts/texts.ts'
import { brandTop, colorLink } from '../brand.ts'
import { trapName } from './form-body.ts'
import type { Reader } from './reader.ts'

/** In a frame, the page around it makes it as high as its content. */
const frameable = '<link rel="stylesheet" href="style.css">\n<script src="frame.js"></script>'

export const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;overflow-wrap:anywhere;background:Canvas;color:CanvasText}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem}
img{display:block;max-width:min(12rem,100%);max-height:5rem;border-radius:2px;background:light-dark(transparent,#fff);box-shadow:0 0 0 4px light-dark(transparent,#fff)}
label,legend{display:block;margin:1rem 0 .25rem;font-weight:600}
label.check{display:flex;gap:.5rem;font-weight:400}
input:not([type=checkbox]),select{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid GrayText;border-radius:6px;background:Field;color:FieldText}
button{margin-top:1.5rem;padding:.7rem 1.2rem;font:inherit;font-weight:600;border:0;border-radius:6px;background:var(--brand,#1f5eff);color:var(--on-brand,#fff);cursor:pointer}
button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid Highlight;outline-offset:2px}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:2.5rem;font-size:.875rem}
nav a{padding:.25rem 0;color:inherit}
nav a[aria-current]{font-weight:600;text-decoration:none}
:lang(ja){line-break:strict;font-family:system-ui,'Hiragino Sans','Noto Sans JP','Yu Gothic',sans-serif}
main>.program{margin:0 0 1rem;font-weight:600}
.trap{position:absolute;left:-10000px}
.terms{max-height:12rem;overflow:auto;padding:.5rem 1rem;border:1px solid GrayText;border-radius:6px;white-space:pre-wrap}
.problem{padding:.75rem 1rem;border:2px solid #c62828;border-radius:6px}
`

/** The page for a link in a mail. Only its button confirms: mail scanners open links. */
export const confirmScript = `const button = document.querySelector('button')
const message = document.querySelector('[role=status]')
for (const link of document.querySelectorAll('nav a')) link.hash = location.hash
const send = (path) =>
  fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: new URLSearchParams(location.hash.slice(1)).get('token') }),
  })
// The token is not in the request for the page, so the page does not know its program.
const showProgram = async () => {
  const response = await send('confirm/program')
  if (!response.ok) return
  const { name, color } = (await response.json()).program
  const top = Object.assign(document.createElement('p'), { textContent: name, className: 'program' })
  document.querySelector('main').prepend(top)
  if (color) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: color }))
}
showProgram().catch(() => {})
button.addEventListener('click', async () => {
  button.disabled = true
  try {
    const response = await send(document.documentElement.dataset.post)
    const body = await response.json()
    message.textContent = message.dataset[response.ok ? body.application.state : response.status === 404 ? 'invalid' : 'failed']
    for (const done of document.querySelectorAll('h1 + p, button')) done.hidden = response.ok
  } catch {
    message.textContent = message.dataset.failed
  }
  button.disabled = false
})
`

/** The page in the other languages. @param search the query of the page's own address */
export function languageLinks({ language, words }: Pick<Reader, 'language' | 'words'>, search: string): string {
  const links = languages.map((one) => {
    const query = new URLSearchParams(search)
    query.set('lang', one)
    const current = one === language ? ' aria-current="true"' : ''
    return `<a href="?${escapeHtml(query.toString())}" lang="${one}" hreflang="${one}"${current}>${languageName(one)}</a>`
  })
  return `<nav aria-label="${words.languages}">${links.join(' ')}</nav>`
}

const frame = (
  { language, theme }: Pick<Reader, 'language' | 'theme'>,
  title: string,
  head: string,
  main: string,
) => `<!doctype html>
<html lang="${language}" data-post="confirm"${theme === null ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body><main>
${main}
</main></body>
</html>
`

const stateNames = ['applied', 'approved', 'rejected', 'expired', 'invalid', 'failed'] as const

export const confirmPage = (language: Language): string => {
  const words = joinTexts[language].confirm
  return frame(
    { language, theme: null },
    words.title,
    '<meta name="robots" content="noindex">\n<link rel="stylesheet" href="style.css">\n<script type="module" src="confirm.js"></script>',
    `<h1>${words.title}</h1>
<p>${words.text}</p>
<button type="button">${words.button}</button>
<p role="status" ${stateNames.map((name) => `data-${name}="${escapeHtml(words[name])}"`).join(' ')}></p>
<noscript>${words.noscript}</noscript>
${languageLinks({ language, words: joinTexts[language] }, '')}`,
  )
}

export type JoinPage = {
  program: string
  /** What a newcomer earns, in sentences. */
  deal: string[]
  isOpen: boolean
  text: string | null
  logoUrl: string | null
  color: string | null
  terms: string | null
  fields: readonly {
    name: string
    label: string
    type: 'text' | 'url' | 'choice'
    required: boolean
    choices: string[]
  }[]
  campaignId: string | null
  /** Problems of what was sent, and what was entered. */
  problems: readonly string[]
  entered: Readonly<Record<string, unknown>>
}

const field = (
  {
    name,
    label,
    type,
    required,
    choices,
  }: JoinPage['fields'][number] | (Omit<JoinPage['fields'][number], 'type'> & { type: 'email' }),
  entered: unknown,
  words: JoinTexts,
): string => {
  const value = typeof entered === 'string' ? entered : ''
  const must = required ? ' required' : ''
  const control =
    type === 'choice'
      ? `<select id="${name}" name="${name}"${must}><option value=""></option>${choices.map((choice) => `<option${choice === value ? ' selected' : ''}>${escapeHtml(choice)}</option>`).join('')}</select>`
      : `<input id="${name}" name="${name}" type="${type}" value="${escapeHtml(value)}" maxlength="2000"${must}${name === 'email' ? ' autocomplete="email"' : ''}>`
  return `<label for="${name}">${escapeHtml(required ? label : words.optional(label))}</label>${control}`
}

const paragraphs = (text: string) =>
  text
    .split(/\r?\n\s*\r?\n/)
    .map((one) => `<p>${escapeHtml(one)}</p>`)
    .join('\n')

const plain = (name: string, label: string) => ({ name, label, required: false, choices: [], type: 'text' as const })

const hidden = (name: string, value: unknown): string =>
  typeof value === 'string' && value !== '' ? `<input type="hidden" name="${name}" value="${escapeHtml(value)}">` : ''

/** The form of a program. It works without JavaScript. @param slug the file that it is sent to, relative to the page */
export function joinPage(slug: string, page: JoinPage, reader: Reader, search: string): string {
  const { language, theme, words } = reader
  const { program, deal, isOpen, text, logoUrl, color, terms, fields, campaignId, problems, entered } = page
  const title = words.title(program)
  const head = [frameable, colorLink(color)].join('\n')
  const form = `<form method="post" action="${slug}?lang=${language}${theme === null ? '' : `&amp;theme=${theme}`}">
${field({ name: 'email', label: words.email, type: 'email', required: true, choices: [] }, entered.email, words)}
${field(plain('first_name', words.firstName), entered.first_name, words)}
${field(plain('last_name', words.lastName), entered.last_name, words)}
${fields.map((one) => field(one, entered[one.name], words)).join('\n')}
<div class="trap" aria-hidden="true"><label for="${trapName}">${words.leaveEmpty}</label><input id="${trapName}" name="${trapName}" tabindex="-1" autocomplete="off" data-1p-ignore data-bwignore data-lpignore="true" data-form-type="other"></div>
${campaignId === null ? '' : hidden('campaign_id', campaignId)}${hidden('invitation', entered.invitation)}${hidden('invited_by', entered.invited_by)}
${terms === null ? '' : `<h2>${words.terms}</h2><div class="terms" tabindex="0" role="region" aria-label="${words.terms}">${escapeHtml(terms)}</div><label class="check"><input type="checkbox" name="accepts_terms" value="true" required> ${words.acceptTerms}</label>`}
<button>${words.apply}</button>
</form>`
  return frame(
    reader,
    title,
    head,
    `${logoUrl === null ? '' : brandTop('', logoUrl)}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(deal.join(' '))}</p>
${text === null ? '' : paragraphs(text)}
${problems.length === 0 ? '' : `<ul class="problem" role="alert">${problems.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`}
${isOpen ? form : `<p>${words.closed}</p>`}
${languageLinks(reader, search)}`,
  )
}

/** Instead of the form. */
export const unknownPage = (problem: string, program: string, { color, logoUrl }: Brand, reader: Reader): string =>
  frame(
    reader,
    reader.words.title(program),
    [frameable, colorLink(color)].join('\n'),
    `${logoUrl === null ? '' : `${brandTop('', logoUrl)}\n`}<h1>${escapeHtml(program)}</h1>\n<p>${problem}</p>`,
  )

/** @param base the way from the address that was asked for up to `/` */
export const notFoundPage = (reader: Reader, base: string): string => {
  const { title, text } = reader.words.notFound
  const head = `<meta name="robots" content="noindex">\n<link rel="stylesheet" href="${base}join/style.css">`
  return frame(reader, title, head, `<h1>${title}</h1>\n<p>${text}</p>`)
}

export const sentPage = (program: string, { color, logoUrl }: Brand, reader: Reader): string => {
  const { title, sent } = reader.words
  return frame(
    reader,
    title(program),
    [frameable, colorLink(color)].join('\n'),
    `${brandTop(program, logoUrl)}\n<h1>${sent.heading}</h1>\n<p>${escapeHtml(sent.text(program))}</p>`,
  )
}
