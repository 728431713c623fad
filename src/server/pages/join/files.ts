import { contentOf } from '../../../http/conditional.ts'
import type { Incoming } from '../../../http/incoming.ts'
import { languages } from '../../../kernel/languages.ts'
import type { Joining } from '../../../modules/applications/settings.ts'
import { colorFile, logoDirectives } from '../brand.ts'
import { pageSecurity } from '../security-headers.ts'
import { confirmPage as confirmPageIn, confirmScript, style } from './page.ts'
import { readerOf } from './reader.ts'

/** A page may load its logo from another origin, and the program's origins can show it in a frame. */
export const headersOf = ({ logoUrl = null, origins = [] }: Partial<Pick<Joining, 'logoUrl' | 'origins'>> = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Language',
  ...pageSecurity([...["script-src 'self'", "style-src 'self'", "connect-src 'self'"], ...logoDirectives(logoUrl)], {
    formAction: "'self'",
    frameOrigins: origins,
  }),
})
const html = headersOf()
const css = { ...html, 'Content-Type': 'text/css; charset=utf-8' }
/** In each language. */
const confirmPages = new Map(languages.map((language) => [language, contentOf(confirmPageIn(language), html)]))
const files: Readonly<Record<string, ReturnType<typeof contentOf>>> = {
  'style.css': contentOf(style, css),
  'confirm.js': contentOf(confirmScript, { ...html, 'Content-Type': 'text/javascript; charset=utf-8' }),
}

/** A file beside the pages. Undefined for another name, which can be the slug of a program: `constructor`. */
export const fileOf = (name: string) => (Object.hasOwn(files, name) ? files[name] : colorFile(name))

export const confirmPage = (incoming: Incoming) => confirmPages.get(readerOf(incoming, '').language)
