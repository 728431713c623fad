import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { createAffiliateCouponInput } from './coupons/input.ts'
import { areCouponTokensTaken } from './coupons/service.ts'
import type { FileLine } from './csv-file.ts'

/** Returns a function that finds a campaign's id by id or by name (ignoring case), or returns the problem. */
export async function readCampaigns(ctx: ProgramCtx): Promise<(idOrName: string) => string | Problem> {
  const campaigns = await ctx.db.campaign.findMany({
    where: { programId: ctx.program.id },
    select: { id: true, name: true },
  })
  const idsByKey = new Map<string, Set<string>>()
  for (const { id, name } of campaigns) {
    for (const key of [id, name.toLowerCase()]) idsByKey.set(key, (idsByKey.get(key) ?? new Set()).add(id))
  }
  return (idOrName) => {
    const [id, another] = idsByKey.get(idOrName.toLowerCase()) ?? []
    if (id === undefined) return { field: 'campaign', message: 'Campaign not found.' }
    return another === undefined ? id : problem('campaign', 'is the name of several campaigns: give an id instead')
  }
}

type CouponColumn = { tokens: string[]; problems: Problem[] }

/** The codes of each line, divided by semicolons. */
export async function readCoupons(ctx: ProgramCtx, lines: FileLine[]): Promise<CouponColumn[]> {
  const read = lines.map(({ fields: { coupon = '' } }) =>
    coupon
      .split(';')
      .filter((code) => code.trim() !== '')
      .map((code) => createAffiliateCouponInput.shape.token.safeParse(code)),
  )
  const taken = await areCouponTokensTaken(
    ctx,
    read.flat().map(({ data: token }) => ({ token })),
  )
  let at = 0
  return read.map((codes) => {
    const column: CouponColumn = { tokens: [], problems: [] }
    for (const { data, error } of codes) {
      if (error) column.problems.push(problem('coupon', error.issues[0]?.message ?? 'is not valid'))
      else if (taken[at]) column.problems.push(problem('coupon', 'is already in use.'))
      else column.tokens.push(data)
      at += 1
    }
    return column
  })
}
