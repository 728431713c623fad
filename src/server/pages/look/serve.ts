import { icon, lookScript, lookStyle } from '../../../generated/look.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { isRead } from '../../../http/incoming.ts'
import type { Handler } from '../../handler.ts'
import { contentSecurity } from '../security-headers.ts'

const content = (text: string, type: string) =>
  contentOf(text, { 'Cache-Control': 'no-cache', 'Content-Type': type, ...contentSecurity })
const files: Readonly<Record<string, ReturnType<typeof contentOf>>> = {
  '/look/style.css': content(lookStyle, 'text/css; charset=utf-8'),
  '/look/theme.js': content(lookScript, 'text/javascript; charset=utf-8'),
  '/look/icon.svg': content(icon, 'image/svg+xml'),
}

/** `/look`: what the pages at `/`, `/docs` and `/demo/shop` share. Bundled pages have it among their own files. */
export const answerLook: Handler = (incoming) => {
  const file = files[incoming.path]
  return file && isRead(incoming) ? answerContent(incoming, file) : null
}
