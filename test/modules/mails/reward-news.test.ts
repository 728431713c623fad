import { beforeEach, describe, expect, it } from 'vitest'
import { mintId } from '../../../src/kernel/ids.ts'
import { languages } from '../../../src/kernel/languages.ts'
import { writeNotices } from '../../../src/modules/mails/notices.ts'
import { createTestApp, type TestProgram, testKey } from '../../support/app.ts'
import { createAffiliate, createCampaign } from '../../support/factories.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'
import { createRuler } from '../rules/ruler.ts'

const test = await createTestApp()
const { db } = test.database
let program: TestProgram
let ruler: Awaited<ReturnType<typeof createRewards>>

beforeEach(async () => {
  ruler = await createRewards()
  program = ruler.program
  await notify()
})

/** A ruler that also changes rules, groups and who is in them. */
async function createRewards() {
  const made = await createRuler(test)
  const mutate = async (name: string, type: string, input: object, answer = '__typename') => {
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${answer} } }`
    return (await made.program.graphql(text, { input }))[name]
  }
  return Object.assign(made, {
    updateRule: (id: string, input: object) =>
      mutate('updateCommissionRule', 'UpdateCommissionRuleInput', Object.assign({ id }, input)),
    endRule: (id: string) => mutate('endCommissionRule', 'EndCommissionRuleInput', { id }),
    createGroup: async (name: string) =>
      (await mutate('createAffiliateGroup', 'CreateAffiliateGroupInput', { name }, 'affiliateGroup { id }'))
        .affiliateGroup as { id: string },
    join: (affiliateId: string, id: string) =>
      mutate('addAffiliatesToGroup', 'AddAffiliatesToGroupInput', { id, affiliateIds: [affiliateId] }),
    leave: (affiliateId: string, id: string) =>
      mutate('removeAffiliatesFromGroup', 'RemoveAffiliatesFromGroupInput', { id, affiliateIds: [affiliateId] }),
  })
}

/** Time passes, and several instances do what follows. */
async function notify() {
  test.clock.advanceMinutes(2)
  const notifying = { db, now: () => test.clock.now, publicUrl: () => test.origin, key: testKey }
  await Promise.all([writeNotices(notifying), writeNotices(notifying)])
  await writeNotices(notifying)
}

type Mail = { kind: string; to: string; subject: string; text: string }

/** The mails about changed rewards, the oldest first. */
async function mails(): Promise<Mail[]> {
  await notify()
  const { mails: all } = await program.graphql('{ mails(last: 50) { nodes { kind to subject text } } }')
  return all.nodes.filter(({ kind }: Mail) => kind === 'REWARD_CHANGED').reverse()
}

const newsQuery = `query ($language: String) {
  me { rewardNews(language: $language) { at text reward { text } before { text } } } }`

async function newsOf(affiliateId: string, language?: string) {
  return (await (await clientOf(test, program, affiliateId))(newsQuery, { language })).me.rewardNews
}

const textsOf = async (affiliateId: string): Promise<string[]> =>
  (await newsOf(affiliateId)).map(({ text }: { text: string }) => text)

const day = (date: Date) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
const inDays = (days: number) => new Date(test.clock.now.getTime() + days * 86_400_000)
const sentence = (at: Date, rate: string, old: string) => `From ${day(at)} you earn ${rate} instead of ${old}.`

describe('a changed reward is news in the portal, and one mail', () => {
  it('for those to whom a rule gives another rate, and for nobody else', async () => {
    const { affiliate, campaign, createRule } = ruler
    const other = await createAffiliate(program, { campaign_id: campaign.id })
    await notify()
    await createRule({ reward: { percent: 35 }, conditions: { affiliateIds: [affiliate.id] } })
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: affiliate.email, subject: 'What you earn at Acme changes' })
    expect(mail?.text).toContain(sentence(test.clock.now, '35%', '10%'))
    expect(mail?.text).toContain('Until then:\nYou earn 10% of each sale')
    expect(await newsOf(affiliate.id)).toMatchObject([
      { text: sentence(test.clock.now, '35%', '10%'), reward: { text: expect.stringContaining('You earn 35%') } },
    ])
    expect(await newsOf(other.id)).toEqual([])
  })

  it('when a rule is changed and ended, each once', async () => {
    const { affiliate, createRule, updateRule, endRule } = ruler
    const rule = await createRule({ reward: { percent: 35 } })
    await notify()
    await updateRule(rule.id, { reward: { amountCents: 500 } })
    await notify()
    await endRule(rule.id)
    expect((await mails()).map(({ text }) => text.split('\n\n')[1])).toEqual([
      sentence(test.clock.now, '35%', '10%'),
      sentence(test.clock.now, '$5.00 per sale', '35%'),
      sentence(test.clock.now, '10%', '$5.00 per sale'),
    ])
    expect(await textsOf(affiliate.id)).toHaveLength(3)
  })

  it('ahead for a rule that begins later, and not again when it begins; its end is said when it comes', async () => {
    const { affiliate, createRule } = ruler
    const [startsAt, endsAt] = [inDays(3), inDays(10)]
    await createRule({ reward: { percent: 35 }, startsAt, endsAt })
    expect(await mails()).toHaveLength(1)
    expect(await textsOf(affiliate.id)).toEqual([sentence(startsAt, '35%', '10%')])
    test.clock.advanceDays(4)
    expect(await mails()).toHaveLength(1)
    test.clock.advanceDays(7)
    expect(await mails()).toHaveLength(2)
    expect(await textsOf(affiliate.id)).toEqual([sentence(endsAt, '10%', '35%'), sentence(startsAt, '35%', '10%')])
    test.clock.advanceDays(61)
    expect(await textsOf(affiliate.id)).toEqual([])
  })

  it('also when a planned rule does not come, which takes its news away', async () => {
    const { affiliate, createRule, endRule } = ruler
    const startsAt = inDays(3)
    const rule = await createRule({ reward: { percent: 35 }, startsAt })
    await notify()
    await endRule(rule.id)
    const withdrawn = `The change announced for ${day(startsAt)} does not take place.`
    expect((await mails()).at(-1)?.text).toContain(`${withdrawn}\n\nThis is what you earn then:\n\nYou earn 10%`)
    expect(await newsOf(affiliate.id)).toMatchObject([{ text: withdrawn, before: null }])
  })

  it('for the reward of the campaign, another campaign, and a group that is joined and left', async () => {
    const { affiliate, campaign, createRule, createGroup, join, leave } = ruler
    await program.put(`/campaigns/${campaign.id}`, { commission_percent: 12 })
    await notify()
    expect(await textsOf(affiliate.id)).toEqual([sentence(test.clock.now, '12%', '10%')])
    const better = await createCampaign(program, { commission_percent: 15 })
    await program.put(`/affiliates/${affiliate.id}`, { campaign_id: better.id })
    expect((await mails()).at(-1)?.text).toContain(sentence(test.clock.now, '15%', '12%'))
    const group = await createGroup('VIP')
    await createRule({ campaignId: better.id, reward: { percent: 50 }, conditions: { groupIds: [group.id] } })
    expect(await mails()).toHaveLength(2)
    await join(affiliate.id, group.id)
    expect((await mails()).at(-1)?.text).toContain(sentence(test.clock.now, '50%', '15%'))
    await leave(affiliate.id, group.id)
    expect((await mails()).at(-1)?.text).toContain(sentence(test.clock.now, '15%', '50%'))
    expect(await mails()).toHaveLength(4)
  })

  it('also without a rate of its own: a rule for a product, and one that changes nothing', async () => {
    const { affiliate, createRule } = ruler
    await createRule({ name: 'Same', reward: { percent: 10 } })
    expect(await mails()).toEqual([])
    await createRule({ reward: { percent: 5 }, conditions: { productIds: ['plan_b'] } })
    const [mail] = await mails()
    expect(mail?.text).toContain(`From ${day(test.clock.now)}, what you earn is different.`)
    expect(mail?.text).toContain('Sales of plan_b: 5%.')
    expect(await newsOf(affiliate.id)).toHaveLength(1)
  })
})

it('goes to 600 affiliates of a campaign, not to those who want none or are disabled', async () => {
  const { campaign, affiliate, createRule } = ruler
  const now = test.clock.now
  const rows = Array.from({ length: 600 }, (_, index) => ({
    programId: program.id,
    id: mintId(now),
    campaignId: campaign.id,
    email: `a${index}@many.test`,
    emailKey: `a${index}@many.test`,
    state: index === 0 ? ('disabled' as const) : ('active' as const),
    createdAt: now,
    updatedAt: now,
  }))
  await db.affiliate.createMany({ data: rows })
  await notify()
  const refused = await db.affiliate.findFirstOrThrow({ where: { programId: program.id, email: 'a1@many.test' } })
  await db.mailChoices.create({
    data: { programId: program.id, affiliateId: refused.id, getsRewardMails: false, updatedAt: now },
  })
  await createRule({ reward: { percent: 20 } })
  await notify()
  const to = await db.mail.findMany({ where: { programId: program.id, kind: 'reward_changed' }, select: { to: true } })
  expect(new Set(to.map((mail) => mail.to)).size).toBe(599)
  expect(to).toHaveLength(599)
  expect(to.map((mail) => mail.to)).toContain(affiliate.email)
  expect(await newsOf(refused.id)).toHaveLength(1)
})

it.each(languages)('is written in %s', async (language) => {
  const { affiliate, createRule } = ruler
  await db.affiliate.updateMany({ where: { programId: program.id, id: affiliate.id }, data: { language } })
  await createRule({ reward: { percent: 35 } })
  const [mail] = await mails()
  const [news] = await newsOf(affiliate.id, language)
  expect(mail?.text).toContain(news.text)
  expect(news.text).toMatch(/35\s?%.*10\s?%|10\s?%.*35\s?%/)
  expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/undefined|null|\[object|\{\{/)
})

it('the link of the mail stops this kind alone, and the affiliate chooses in the portal', async () => {
  const { affiliate, createRule } = ruler
  await createRule({ reward: { percent: 35 } })
  const [mail] = await mails()
  const stop = /\S+\/mail\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] as string
  expect(stop).toContain('/rewards/')
  await test.app.fetch(new Request(stop, { method: 'POST' }))
  const ask = await clientOf(test, program, affiliate.id)
  const choices = 'mailChoices { getsRewardMails getsTermsMails getsMessageMails }'
  expect((await ask(`{ me { ${choices} } }`)).me.mailChoices).toEqual({
    getsRewardMails: false,
    getsTermsMails: true,
    getsMessageMails: true,
  })
  await createRule({ name: 'Another', reward: { percent: 40 } })
  expect(await mails()).toHaveLength(1)
  const { updateMe } = await ask(
    `mutation { updateMe(input: { getsRewardMails: true, getsMessageMails: false }) { ${choices} } }`,
  )
  expect(updateMe.mailChoices).toEqual({ getsRewardMails: true, getsTermsMails: true, getsMessageMails: false })
})
