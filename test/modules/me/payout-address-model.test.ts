import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { examples } from '../../support/examples.ts'
import { reportSale } from '../../support/factories.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'

// Random sequences of an owner, a thief with the owner's session but not the mailbox, the program, links and the clock.

const test = await createTestApp()
const thiefs = ['thief@evil.test', 'other@evil.test'] as const
const owned = ['ada@a.test', 'ada@b.test', 'ada@c.test'] as const

type Step =
  | { thief: number }
  | { owner: number }
  | { program: number }
  | { reacts: 'by the link' | 'in the portal' }
  | { presses: number }
  | { pays: 'PAID' | 'RETURNED' }
  | { days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ thief: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ owner: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ program: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ reacts: fc.constantFrom('by the link' as const, 'in the portal' as const) }) },
  { weight: 2, arbitrary: fc.record({ presses: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ pays: fc.constantFrom('PAID' as const, 'RETURNED' as const) }) },
  { weight: 3, arbitrary: fc.record({ days: fc.constantFrom(1, 2, 6, 7, 8) }) },
)

/** An owner and a thief of one account, in a program of their own. The owner reads mail before payouts no longer wait. */
async function startStory() {
  const program = await test.createProgram({ isSandbox: true })
  const ada = await earner(program, { wallet_a_email: owned[0] })
  const session = await clientOf(test, program, ada.affiliate.id)
  const mails = async () =>
    (await program.graphql('{ mails(where: { kind: { equals: PAYOUT_ADDRESS_CHANGE } }) { nodes { to text } } }')).mails
      .nodes as { to: string; text: string }[]
  const links = async (isReader: (to: string) => boolean) =>
    (await mails()).flatMap(({ to, text }) => {
      const link = /http:\/\/\S+\/mail\/payout-address\/\S+/.exec(text)?.[0]
      return link && isReader(to) ? [link] : []
    })
  const address = async (): Promise<string | null> => (await session('{ me { paypalEmail } }')).me.paypalEmail
  const isTheirs = (one: string | null) => thiefs.some((each) => each === one)

  /** @returns whether it was changed: an hour has at most five changes */
  const enter = (paypalEmail: string) =>
    session('mutation ($input: UpdateMeInput!) { updateMe(input: $input) { affiliate { id } } }', {
      input: { paypalEmail },
    }).then(
      () => true,
      () => false,
    )
  /** No link leads to a thief's address, whoever presses its button. */
  const press = async (link: string | undefined) => {
    const before = await address()
    if (link) await test.app.fetch(new Request(link, { method: 'POST' }))
    const after = await address()
    expect(isTheirs(after) && after !== before, `a link has restored ${after}`).toBe(false)
  }
  const react = async (how: 'by the link' | 'in the portal') => {
    if (!isTheirs(await address())) return
    const isDone = how === 'in the portal' && (await enter(owned[0]))
    if (!isDone) await press((await links((to) => to === ada.affiliate.email))[0])
    expect(isTheirs(await address()), 'the owner has ended it').toBe(false)
  }
  const pay = async (state: 'PAID' | 'RETURNED') => {
    await reportSale(program, { coupon: ada.coupon })
    const run = await runsOf(program)
      .create({ method: 'PAYPAL' })
      .catch((error: Error) => {
        expect(error.message).toContain('No payout can be paid')
        return null
      })
    if (!run) return
    const { nodes } = run.items as { nodes: { recipient: string; payoutId: string }[] }
    for (const { recipient } of nodes) expect(owned, 'who is paid').toContain(recipient)
    await runsOf(program).markSent(run.id)
    for (const each of new Set(['PAID', state]))
      await runsOf(program).record(
        run.id,
        nodes.map(({ payoutId }) => ({ payoutId, state: each })),
      )
  }
  const wait = async (days: number) => {
    // Nobody sleeps through the hours that payouts wait.
    await react('by the link')
    await test.operator('mutation ($input: AdvanceClockInput!) { advanceClock(input: $input) { program { id } } }', {
      input: { programId: program.id, days },
    })
  }
  return {
    async take(given: Step) {
      if ('thief' in given) {
        await enter(thiefs[given.thief] as string)
        for (const link of await links((to) => isTheirs(to))) await press(link)
      } else if ('owner' in given) await enter(owned[given.owner] as string)
      else if ('program' in given)
        await program.put(`/affiliates/${ada.affiliate.id}`, { wallet_a_email: owned[given.program] })
      else if ('reacts' in given) await react(given.reacts)
      else if ('presses' in given) {
        const all = await links(() => true)
        await press(all[given.presses % Math.max(all.length, 1)])
      } else if ('pays' in given) await pay(given.pays)
      else await wait(given.days)
      for (const { to } of await mails()) expect(isTheirs(to), 'a thief gets no mail').toBe(false)
    },
    pay,
  }
}

it('a thief who never had the mailbox is never paid, and gets no link', async () => {
  const known: Step[] = [{ thief: 0 }, { owner: 0 }, { days: 2 }, { presses: 0 }, { days: 1 }, { pays: 'PAID' }]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const story = await startStory()
      for (const each of steps) await story.take(each)
      await story.pay('PAID')
    }),
    { numRuns: examples(8), examples: [[known]], endOnFailure: true },
  )
})
