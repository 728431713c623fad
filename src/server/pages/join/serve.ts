import type { Program } from '../../../generated/prisma/client.ts'
import { type Answer, emptyAnswer, jsonAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import { methodNotAllowed } from '../../../http/methods.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { refused, TributaryError } from '../../../kernel/errors.ts'
import type { PublicUrl } from '../../../kernel/public-url.ts'
import { apply, type JoinCtx } from '../../../modules/applications/apply.ts'
import { type Joining, readJoinSettings } from '../../../modules/applications/settings.ts'
import { findProgramBySlug } from '../../../modules/programs/cached-lookup.ts'
import { clockOf } from '../../../modules/programs/clock.ts'
import { errorAnswer } from '../../../rest/errors.ts'
import { toTributaryError } from '../../error-report.ts'
import type { Handler, RequestState } from '../../handler.ts'
import { createLimit, createProgramLimit, type Limit, tooManyRequests } from '../../limits/limiter.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../../limits/turns.ts'
import { preflight, withCors } from '../../tracking/origins.ts'
import { confirm, showProgram } from './confirm.ts'
import { confirmPage, fileOf, headersOf } from './files.ts'
import { inputOf, isTrapped, maxBodyBytes } from './form-body.ts'
import { showForm, showSent } from './show.ts'

type Options = {
  db: AppDb
  now: () => Date
  publicUrl: PublicUrl
  key: Buffer
  trustedProxies: number
  limitSecret: string
}

/** For each address. Of applications, what a program can choose at most. */
const mostApplicationsPerMinute = 1_000
const confirmationsPerMinute = 60

/** `/join/{program}`: where people apply, as a page and as an API; and `/join/confirm`. They need no key. */
export function createJoin({ db, now, publicUrl, key, trustedProxies, limitSecret }: Options): Handler {
  const limitApplications = createProgramLimit('applications', mostApplicationsPerMinute, limitSecret)
  const limitConfirmations = createLimit('confirmations', confirmationsPerMinute, limitSecret)
  // Apart from the turns of requests with a key, so that a flood of applications cannot block those.
  const turns = createTurns(maxTurnsWithoutKey)

  const baseCtx = ({ log, requestId }: RequestState) => ({
    db,
    now,
    log,
    requestId,
    actor: { kind: 'system' } as const,
    key,
  })

  const limited = async (incoming: Incoming, limit: Limit, run: () => Promise<Answer>) => {
    const seconds = await limit(clientAddress(incoming, trustedProxies))
    return seconds === null ? inTurn(turns, run, { signal: incoming.signal }) : tooManyRequests(seconds)
  }

  const receive = async (incoming: Incoming, ctx: JoinCtx, settings: Joining): Promise<Answer> => {
    const type = incoming.header('content-type')
    const isForm = type !== null && /^application\/x-www-form-urlencoded\b/i.test(type.trim())
    const entered = readFields(await incoming.body(maxBodyBytes), type)
    try {
      if (ctx.program.closedAt) throw refused('The program takes no applications at the moment.')
      const sender = { address: clientAddress(incoming, trustedProxies), isSuspected: isTrapped(entered) }
      const application = await apply(ctx, inputOf(entered, incoming, settings.fields), sender)
      if (isForm)
        return {
          status: 202,
          headers: { ...headersOf(settings), 'Cache-Control': 'no-store' },
          body: showSent(incoming, ctx.program, settings),
        }
      return jsonAnswer({ application }, 202, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (!isForm || !(error instanceof TributaryError)) throw error
      const page = await showForm(incoming, ctx, { error, entered })
      return { status: 422, headers: { ...page.headers, 'Cache-Control': 'no-store' }, body: page.body }
    }
  }

  return async (incoming, state) => {
    const name = incoming.path.replace(/^\/join\/?/, '')
    if (name === 'confirm' && incoming.method === 'POST')
      return limited(incoming, limitConfirmations, () =>
        confirm(incoming, { ...baseCtx(state), publicUrl, ownSlug: state.ownSlug }),
      )
    if (name === 'confirm/program')
      return incoming.method === 'POST'
        ? limited(incoming, limitConfirmations, () => showProgram(incoming, db, state.ownSlug))
        : methodNotAllowed('POST')
    const file = name === 'confirm' ? confirmPage(incoming) : fileOf(name)
    if (file) return isRead(incoming) ? answerContent(incoming, file) : methodNotAllowed('GET, HEAD')
    // Programs in which people write links add slashes. What the page loads is relative to its address.
    const [, slug] = /^([\w-]+)\/$/.exec(name) ?? []
    if (slug && isRead(incoming)) return emptyAnswer(308, { Location: `../${slug}${incoming.search}` })
    const program = await findProgramBySlug({ db }, name)
    if (!program) return null
    const ctx = ctxOf({ ...baseCtx(state), publicUrl: publicUrl(program) }, program)
    if (isRead(incoming)) {
      const page = await inTurn(turns, () => showForm(incoming, ctx), { signal: incoming.signal })
      const { status, body, headers } = page
      return status === 200 ? answerContent(incoming, contentOf(body, headers)) : { status, headers, body }
    }
    if (incoming.method !== 'POST' && incoming.method !== 'OPTIONS') return methodNotAllowed('GET, HEAD, POST')
    const settings = await readJoinSettings(db, ctx)
    if (incoming.method === 'OPTIONS') return withCors(preflight(), settings.origins, incoming)
    const limit: Limit = (address) => limitApplications(address, program.id, settings.applicationsPerMinute)
    const answer = await limited(incoming, limit, () => receive(incoming, ctx, settings)).catch((error: unknown) =>
      errorAnswer(toTributaryError(error, state.log)),
    )
    return withCors(answer, settings.origins, incoming)
  }
}

const ctxOf = (ctx: Omit<JoinCtx, 'program'>, program: Program): JoinCtx => ({
  ...ctx,
  program,
  db: ctx.db.ofProgram(program.id),
  now: clockOf(program, ctx.now),
})
