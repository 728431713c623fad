import { type Answer, emptyAnswer } from '../../../http/answer.ts'
import { type Assets, answerAsset } from '../../../http/assets.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { memoize } from '../../../kernel/memoize.ts'
import { rulesSchema } from '../../../modules/rule-plans/file-schema.ts'
import { createOpenApiDocument } from '../../../rest/openapi/document.ts'
import { descriptionPaths } from '../../../rest/routes.ts'
import type { Handler } from '../../handler.ts'
import { contentSecurity, pageSecurity } from '../security-headers.ts'
import { readAssets } from './assets.ts'
import { page } from './page.ts'

// Swagger UI's icons are data: images.
const security = pageSecurity(["img-src 'self' data:", "object-src 'none'"], {
  defaultSource: "'self'",
  formAction: "'self'",
})

type Profile = keyof typeof descriptionPaths

export type Docs = {
  /** `/docs`: the page that shows the OpenAPI document, and its files; and the JSON Schema of a file of rules. */
  handle: Handler
  /** Returns the OpenAPI document at a path below /v1, or null. */
  answerDocument(incoming: Incoming): Answer | null
}

/** The documentation of the REST API, which needs no key. Files are made on the first request. */
export function createDocs(publicUrl: () => string): Docs {
  const documentOf = memoize((profile: Profile) => jsonContent(createOpenApiDocument(publicUrl(), profile)))
  let assets: Promise<Assets> | undefined
  const loadAssets = () => {
    assets ??= readAssets()
    return assets
  }
  return {
    answerDocument(incoming) {
      const profile = profileOf(incoming.path.replace(/\/$/, ''))
      return profile && isRead(incoming) ? answerContent(incoming, documentOf(profile)) : null
    },
    async handle(incoming) {
      const { path } = incoming
      if (!isRead(incoming)) return null
      // Addresses in the page are relative to /docs. The target is relative too, for proxies that add a path before it.
      if (path === '/docs/') return emptyAnswer(308, { Location: '../docs' })
      if (path === '/docs/rules.schema.json') return answerContent(incoming, jsonContent(rulesSchema()))
      if (path === '/docs') return answerContent(incoming, pageOf((await loadAssets()).version))
      return answerAsset(incoming, await loadAssets(), contentSecurity)
    },
  }
}

const jsonContent = (document: object) =>
  contentOf(JSON.stringify(document), {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    ...contentSecurity,
  })

/** The profile that the document at this path describes. */
const profileOf = (pathname: string): Profile | undefined =>
  (Object.keys(descriptionPaths) as Profile[]).find((name) => pathname === `/v1${descriptionPaths[name]}`)

const pageOf = (version: string) =>
  contentOf(page(`docs/${version}`), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    ...security,
  })
