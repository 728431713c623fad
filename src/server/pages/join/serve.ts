import type { Program } from '../../../generated/prisma/client.ts'
import { type Answer, jsonAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { refused, TributaryError } from '../../../kernel/errors.ts'
import { isId, mintId } from '../../../kernel/ids.ts'
import { apply, type JoinCtx } from '../../../modules/applications/apply.ts'
import { confirmApplication } from '../../../modules/applications/confirm.ts'
import { type Joining, readJoinSettings, termsAt } from '../../../modules/applications/settings.ts'
import { findProgramBySlug } from '../../../modules/programs/cached-lookup.ts'
import { clockOf } from '../../../modules/programs/clock.ts'
import { errorAnswer } from '../../../rest/errors.ts'
import { toTributaryError } from '../../entrance/error-report.ts'
import type { Handler, RequestState } from '../../entrance/handler.ts'
import { createLimit, tooManyRequests } from '../../limits/limiter.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { clientAddress } from '../../tracking/address.ts'
import { preflight, withCors } from '../../tracking/origins.ts'
import { pageSecurity } from '../security-headers.ts'
import { dealOf } from './deal.ts'
import { confirmPage, confirmScript, joinPage, sentPage, style } from './page.ts'
import { en } from './texts/en.ts'

type Options = { db: AppDb; now: () => Date; publicUrl: () => string; trustedProxies: number; limitSecret: string }

const maxBodyBytes = 128 * 1024
/** For each address. */
const applicationsPerMinute = 10
const confirmationsPerMinute = 30

/** A page may load its logo from another origin, and the program's origins can show it in a frame. */
const headersOf = ({ logoUrl = null, origins = [] }: Partial<Pick<Joining, 'logoUrl' | 'origins'>> = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  ...pageSecurity(
    [
      ...["script-src 'self'", "style-src 'self'", "connect-src 'self'"],
      ...(logoUrl === null ? [] : [`img-src ${new URL(logoUrl).origin}`]),
    ],
    { formAction: "'self'", frameOrigins: origins },
  ),
})
const html = headersOf()
const js = { ...html, 'Content-Type': 'text/javascript; charset=utf-8' }
const css = { ...html, 'Content-Type': 'text/css; charset=utf-8' }
const files: Record<string, ReturnType<typeof contentOf>> = {
  'style.css': contentOf(style, css),
  'confirm.js': contentOf(confirmScript, js),
  confirm: contentOf(confirmPage(en), html),
}

/** `/join/{program}`: where people apply, as a page and as an API; and `/join/confirm`. They need no key. */
export function createJoin({ db, now, publicUrl, trustedProxies, limitSecret }: Options): Handler {
  const limits = {
    apply: createLimit('applications', applicationsPerMinute, limitSecret),
    confirm: createLimit('confirmations', confirmationsPerMinute, limitSecret),
  }
  // Apart from the turns of requests with a key, so that a flood of applications cannot block those.
  const turns = createTurns(maxTurnsWithoutKey)

  const baseCtx = ({ log, requestId }: RequestState) => ({
    db,
    now,
    log,
    requestId,
    actor: { kind: 'system' } as const,
    publicUrl: publicUrl(),
  })

  const limited = async (incoming: Incoming, name: keyof typeof limits, run: () => Promise<Answer>) => {
    const seconds = await limits[name](clientAddress(incoming, trustedProxies))
    return seconds === null ? inTurn(turns, run, { signal: incoming.signal }) : tooManyRequests(seconds)
  }

  const confirm = async (incoming: Incoming, state: RequestState): Promise<Answer> => {
    // Pages of other origins can send this type only after a preflight request, which is rejected.
    if (!/^application\/json\b/i.test(incoming.header('content-type') ?? ''))
      throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
    const { token } = readFields(await incoming.body(maxBodyBytes), 'application/json')
    const application = await confirmApplication(baseCtx(state), token)
    return jsonAnswer({ application }, 200, { 'Cache-Control': 'no-store' })
  }

  const show = async (incoming: Incoming, ctx: JoinCtx, sent?: { problems: string[]; entered: object }) => {
    const { program } = ctx
    const settings = await readJoinSettings(db, ctx)
    const search = new URLSearchParams(incoming.search)
    const given = search.get('campaign')
    const which = given !== null && isId(given) ? { id: given, private: false } : { isDefault: true }
    const campaign = await db.campaign.findFirst({ where: { programId: program.id, archivedAt: null, ...which } })
    if (!campaign) return null
    const fields = settings.fields.map(({ type = 'text', required = false, choices = [], ...field }) => ({
      ...field,
      type,
      required,
      choices,
    }))
    const content = {
      ...settings,
      fields,
      program: program.name,
      deal: dealOf(campaign, program.locale, en),
      terms: (await termsAt(db, ctx, ctx.now()))?.text ?? null,
      campaignId: campaign.isDefault ? null : campaign.id,
      problems: sent?.problems ?? [],
      theme: themeOf(incoming),
      // An invitation has the e-mail in its link.
      entered: (sent?.entered ?? { email: search.get('email') ?? '' }) as Record<string, unknown>,
    }
    return { body: joinPage(program.slug, content, en), headers: headersOf(settings) }
  }

  const receive = async (incoming: Incoming, ctx: JoinCtx, settings: Joining): Promise<Answer> => {
    const type = incoming.header('content-type')
    const isForm = type !== null && /^application\/x-www-form-urlencoded\b/i.test(type.trim())
    const entered = readFields(await incoming.body(maxBodyBytes), type)
    try {
      const application = isTrapped(entered)
        ? { id: mintId(ctx.now()), state: 'applied' }
        : await apply(ctx, inputOf(entered), clientAddress(incoming, trustedProxies))
      if (isForm)
        return {
          status: 202,
          headers: { ...headersOf(settings), 'Cache-Control': 'no-store' },
          body: sentPage(ctx.program.name, en, themeOf(incoming)),
        }
      return jsonAnswer({ application }, 202, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (!isForm || !(error instanceof TributaryError)) throw error
      const problems = error.problems.length > 0 ? error.problems.map(({ message }) => message) : [error.message]
      const page = await show(incoming, ctx, { problems, entered })
      if (!page) throw error
      return { status: 422, headers: { ...page.headers, 'Cache-Control': 'no-store' }, body: page.body }
    }
  }

  return async (incoming, state) => {
    const name = incoming.path.replace(/^\/join\/?/, '')
    if (name === 'confirm' && incoming.method === 'POST')
      return limited(incoming, 'confirm', () => confirm(incoming, state))
    const file = files[name] ?? colorFile(name)
    if (file) return isRead(incoming) ? answerContent(incoming, file) : methodNotAllowed('GET, HEAD')
    const program = await findProgramBySlug({ db }, name)
    if (!program) return null
    const ctx = ctxOf(baseCtx(state), program)
    if (isRead(incoming)) {
      const page = await inTurn(turns, () => show(incoming, ctx), { signal: incoming.signal })
      return page && answerContent(incoming, contentOf(page.body, page.headers))
    }
    if (incoming.method !== 'POST' && incoming.method !== 'OPTIONS') return methodNotAllowed('GET, HEAD, POST')
    const settings = await readJoinSettings(db, ctx)
    if (incoming.method === 'OPTIONS') return withCors(preflight(), settings.origins, incoming)
    const answer = await limited(incoming, 'apply', () => receive(incoming, ctx, settings)).catch((error: unknown) =>
      errorAnswer(toTributaryError(error, state.log)),
    )
    return withCors(answer, settings.origins, incoming)
  }
}

/** A page around a frame can choose the theme. */
function themeOf({ search }: Incoming): 'light' | 'dark' | null {
  const theme = new URLSearchParams(search).get('theme')
  return theme === 'light' || theme === 'dark' ? theme : null
}

const ctxOf = (ctx: Omit<JoinCtx, 'program'>, program: Program): JoinCtx => {
  if (program.closedAt) throw refused('The program takes no applications at the moment.')
  return { ...ctx, program, db: ctx.db.ofProgram(program.id), now: clockOf(program, ctx.now) }
}

/** People do not see this field; programs that fill in every field do. They get the answer that others get. */
const isTrapped = ({ website }: Record<string, unknown>): boolean => typeof website === 'string' && website !== ''

/** `first_name` is `firstName`; fields that no application has are the program's own. */
function inputOf(sent: Record<string, unknown>): Record<string, unknown> {
  const { email, first_name, last_name, campaign_id, accepted_terms, website: _, ...own } = sent
  return {
    email,
    firstName: first_name,
    lastName: last_name,
    campaignId: campaign_id,
    acceptedTerms: accepted_terms,
    fields: Object.entries(own).map(([name, value]) => ({ name, value })),
  }
}

/** The page has no inline style, because the Content-Security-Policy forbids it. */
function colorFile(name: string): ReturnType<typeof contentOf> | undefined {
  const [, color] = /^color-([0-9a-f]{6})\.css$/i.exec(name) ?? []
  return color === undefined ? undefined : contentOf(`button{background:#${color}}\n`, css)
}
