import { describe, expect, test } from 'vitest'
import { dueDay, nextDay } from '../../../src/modules/payout-services/schedule/days.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { findViolations } from '../../support/doctor.ts'
import { anotherKey, runsOf } from '../../support/payout-runs.ts'
import { createPayPal, makeDueRuns, payingProgram } from '../../support/payout-services.ts'
import { addMember, setUpOperator } from '../../support/people.ts'

const paypal = await createPayPal()
const death: { at: string | null } = { at: null }
const app = await createTestApp({
  startsAt: '2026-03-20T12:00:00.000Z',
  payoutServiceUrls: { paypal: paypal.url },
})
const { db } = app.database
const olga = await setUpOperator(app)

const make = () =>
  makeDueRuns(app, { paypal: paypal.url }, (step) => {
    if (step !== death.at) return
    death.at = null
    throw new Error('killed')
  })

const at = (time: string) => app.clock.advanceMinutes((Date.parse(time) - app.clock.now.getTime()) / 60_000)
const fields = `nextAt daysOfMonth weekdays methods currencies minimumCents sendUpToCents
  runs { day method currency state reason payoutRun { id state amountCents } }`
const schedule = async (program: Pick<TestProgram, 'graphql'>, input: object) =>
  (
    await program.graphql(
      `mutation ($input: UpdatePayoutScheduleInput!) { updatePayoutSchedule(input: $input) { payoutSchedule { ${fields} } } }`,
      { input },
    )
  ).updatePayoutSchedule.payoutSchedule
const read = async (program: Pick<TestProgram, 'graphql'>) =>
  (await program.graphql(`{ payoutSchedule { ${fields} } }`)).payoutSchedule
const mailsOf = ({ id }: Pick<TestProgram, 'id'>) =>
  db.mail.findMany({ where: { programId: id, kind: 'payout_runs_made' }, orderBy: { id: 'asc' } })

describe('the days of a schedule', () => {
  const on = (daysOfMonth: number[], weekdays: ('monday' | 'sunday')[] = []) => ({ daysOfMonth, weekdays })
  const next = (days: ReturnType<typeof on>, now: string, zone = 'UTC') =>
    nextDay(days, new Date(now), zone)?.at.toISOString() ?? null

  test.each([
    ['a day of the month', on([15]), '2026-03-02T00:00:00Z', '2026-03-15T07:00:00.000Z'],
    ['a day that the month lacks is its last', on([31]), '2026-02-02T00:00:00Z', '2026-02-28T07:00:00.000Z'],
    ['a day of the week', on([], ['monday']), '2026-03-20T12:00:00Z', '2026-03-23T07:00:00.000Z'],
    ['the earlier of both', on([31], ['sunday']), '2026-03-20T12:00:00Z', '2026-03-22T07:00:00.000Z'],
    ['no day', on([]), '2026-03-20T12:00:00Z', null],
  ])('%s', (_what, days, now, expected) => expect(next(days, now)).toBe(expected))

  test('are those of the time zone, also when clocks change', () => {
    expect(next(on([29]), '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T05:00:00.000Z')
    expect(next(on([28]), '2026-03-27T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-28T06:00:00.000Z')
    expect(next(on([1]), '2026-03-30T12:00:00Z', 'Pacific/Auckland')).toBe('2026-03-31T18:00:00.000Z')
  })

  test('of which several were missed, only the latest is made up for', () => {
    const due = (since: string, now: string) => dueDay(on([1, 15]), new Date(since), new Date(now), 'UTC')?.day ?? null
    expect(due('2026-01-10T00:00:00Z', '2026-02-20T00:00:00Z')).toBe('2026-02-15')
    expect(due('2026-02-15T07:00:00Z', '2026-02-20T00:00:00Z')).toBeNull()
    expect(due('2026-02-10T00:00:00Z', '2026-02-15T06:59:00Z')).toBeNull()
  })
})

describe('a scheduled run', () => {
  test('is made once, whatever dies and however many instances run, and people get one mail', async () => {
    const { program } = await payingProgram(app, ['ada@sched.test', 'bob@sched.test'])
    await addMember(app, olga, program.id, { email: 'ann@sched.test', role: 'MANAGER' })
    const set = await schedule(program, {
      daysOfMonth: [1],
      methods: ['PAYPAL', 'GENERIC'],
      currencies: ['usd', 'eur'],
    })
    expect(set).toMatchObject({ nextAt: '2026-04-01T07:00:00.000Z', runs: [] })
    await make()
    expect((await read(program)).runs).toEqual([])

    at('2026-04-01T07:01:00Z')
    death.at = 'after scheduled run'
    await make()
    app.clock.advanceMinutes(6)
    await Promise.all([make(), make(), make()])
    await make()
    const { runs, nextAt } = await read(program)
    expect(nextAt).toBe('2026-05-01T07:00:00.000Z')
    expect(runs.map(({ method, currency, state, reason }: any) => [method, currency, state, reason])).toEqual([
      ['PAYPAL', 'eur', 'SKIPPED', 'No payout can be paid in this run: none in EUR is open.'],
      ['PAYPAL', 'usd', 'PREPARED', null],
      ['GENERIC', 'eur', 'SKIPPED', 'No payout can be paid in this run: none in EUR is open.'],
      ['GENERIC', 'usd', 'SKIPPED', expect.stringContaining('2 IN_OPEN_RUN')],
    ])
    expect(runs[1].payoutRun).toMatchObject({ state: 'PREPARED', amountCents: 2_000 })
    const { payoutRuns } = await program.graphql('{ payoutRuns { totalCount } }')
    expect(payoutRuns.totalCount).toBe(1)
    const mails = await mailsOf(program)
    expect(mails.map(({ to }) => to)).toEqual(['ann@sched.test'])
    expect(mails[0]?.text).toContain('PayPal, USD: waits for a person: $20.00')
    expect(await findViolations(app.database)).toEqual([])
  })

  test('below the minimum is skipped, and its payouts are free', async () => {
    const { program } = await payingProgram(app, ['small@sched.test'])
    await schedule(program, { weekdays: ['MONDAY'], methods: ['PAYPAL'], minimumCents: 5_000 })
    at('2026-04-06T07:00:00Z')
    await make()
    expect((await read(program)).runs).toMatchObject([
      { state: 'SKIPPED', reason: '10.00 USD can be paid, below the minimum of 50.00 USD.', payoutRun: null },
    ])
    expect((await runsOf(program).prepare({ method: 'PAYPAL' })).payouts).toBe(1)
  })

  test('is sent without a person only up to the sum that an owner allows', async () => {
    const { program, services } = await payingProgram(app, ['auto@sched.test'])
    await schedule(program, { weekdays: ['TUESDAY'], methods: ['PAYPAL'], sendUpToCents: 1_500 })
    at('2026-04-07T07:00:00Z')
    await Promise.all([make(), make()])
    await make()
    const { runs } = await read(program)
    expect(runs).toMatchObject([{ state: 'SENT', reason: null, payoutRun: { state: 'SENT' } }])
    paypal.settle(app.clock.now)
    await services.refresh(runs[0].payoutRun.id)
    expect(paypal.moved().get('auto@sched.test')).toBe(1_000)
    const [created] = (
      await program.graphql(
        'query ($id: ID!) { history(subject: PAYOUT_RUN, id: $id) { nodes { action actor { kind } } } }',
        { id: runs[0].payoutRun.id },
      )
    ).history.nodes.slice(-1)
    expect(created).toEqual({ action: 'CREATED', actor: { kind: 'SYSTEM' } })
  })

  test('is sent once if the process dies between making and sending it', async () => {
    const { program, services } = await payingProgram(app, ['died@sched.test'])
    await schedule(program, { weekdays: ['WEDNESDAY'], methods: ['PAYPAL'], sendUpToCents: 1_500 })
    at('2026-04-08T07:00:00Z')
    death.at = 'after scheduled run'
    await make()
    expect((await read(program)).runs).toMatchObject([{ state: 'PREPARED', reason: null }])
    app.clock.advanceMinutes(6)
    paypal.fault(/^POST .*\/payments\/payouts$/, 'lose answer')
    await make()
    app.clock.advanceMinutes(6)
    await make()
    const [{ payoutRun }] = (await read(program)).runs
    await services.refresh(payoutRun.id)
    paypal.settle(app.clock.now)
    await services.refresh(payoutRun.id)
    expect(paypal.moved().get('died@sched.test')).toBe(1_000)
    expect(await findViolations(app.database)).toEqual([])
  })

  test('above it, or above the sum that a second person approves, waits for a person', async () => {
    const { program } = await payingProgram(app, ['large@sched.test'])
    await schedule(program, { weekdays: ['THURSDAY'], methods: ['PAYPAL'], sendUpToCents: 999 })
    at('2026-04-09T07:00:00Z')
    await make()
    expect((await read(program)).runs).toMatchObject([
      { state: 'PREPARED', reason: '10.00 USD is above 9.99 USD, up to which runs are sent without a person.' },
    ])

    const second = await payingProgram(app, ['approve@sched.test'])
    await app.operator(
      'mutation ($id: ID!) { updateProgram(input: { id: $id, payoutApprovalAboveCents: 500 }) { program { id } } }',
      { id: second.program.id },
    )
    await schedule(second.program, { weekdays: ['FRIDAY'], methods: ['PAYPAL'], sendUpToCents: 5_000 })
    at('2026-04-10T07:00:00Z')
    await make()
    const [row] = (await read(second.program)).runs
    expect(row).toMatchObject({ state: 'PREPARED', reason: 'The run needs the approval of a person.' })
    // Nobody of the program made it, so anybody who may approve can.
    expect(await runsOf(await anotherKey(app, second.program)).approve(row.payoutRun.id)).toMatchObject({
      state: 'APPROVED',
    })
  })

  test('that cannot be sent has failed, says why, and waits for a person', async () => {
    const { program, services } = await payingProgram(app, ['offline@sched.test'])
    await services.disconnect()
    await schedule(program, { weekdays: ['SATURDAY'], methods: ['PAYPAL', 'SEPA'], sendUpToCents: 5_000 })
    at('2026-04-11T07:00:00Z')
    await make()
    const { runs } = await read(program)
    expect(runs).toMatchObject([
      { method: 'PAYPAL', state: 'FAILED', reason: expect.stringContaining('PayPal is not connected.') },
      { method: 'SEPA', state: 'FAILED', payoutRun: null },
    ])
    const { installationStatus: status } = await app.operator(
      '{ installationStatus { waiting { failedScheduledRuns } } }',
    )
    expect(status.waiting.failedScheduledRuns).toBeGreaterThanOrEqual(2)
  })

  test('of a method that no service sends waits for a person', async () => {
    const { program } = await payingProgram(app, ['iban@sched.test'])
    await schedule(program, { weekdays: ['SUNDAY'], methods: ['GENERIC'], sendUpToCents: 5_000 })
    at('2026-04-12T07:00:00Z')
    await make()
    const reason = 'No service sends runs of this method by its API. A person pays its file.'
    expect((await read(program)).runs).toMatchObject([{ method: 'GENERIC', state: 'PREPARED', reason }])
  })

  test('of a closed program or a shadow is not made', async () => {
    const { program } = await payingProgram(app, ['closed@sched.test'])
    await schedule(program, { weekdays: ['SUNDAY'], methods: ['PAYPAL'] })
    await app.operator('mutation ($id: ID!) { closeProgram(input: { id: $id }) { program { id } } }', {
      id: program.id,
    })
    at('2026-04-12T07:00:00Z')
    await make()
    expect(await db.scheduledRun.count({ where: { programId: program.id } })).toBe(0)
  })

  test('is of the days that come after the change', async () => {
    const { program } = await payingProgram(app, ['later@sched.test'])
    at('2026-04-13T09:00:00Z')
    await schedule(program, { weekdays: ['MONDAY'], methods: ['PAYPAL'] })
    await make()
    expect(await read(program)).toMatchObject({ runs: [], nextAt: '2026-04-20T07:00:00.000Z' })
    await schedule(program, { weekdays: [] })
    at('2026-04-21T09:00:00Z')
    await make()
    expect(await read(program)).toMatchObject({ runs: [], nextAt: null })
  })
})

describe('updatePayoutSchedule', () => {
  test('says what is wrong', async () => {
    const program = await app.createProgram()
    await expect(schedule(program, { daysOfMonth: [32] })).rejects.toThrow(/Days of month/)
    await expect(schedule(program, { daysOfMonth: [1] })).rejects.toThrow("Methods can't be empty while there are days")
    await expect(schedule(program, { daysOfMonth: [1], methods: ['MANUAL'] })).rejects.toThrow(/can't be by hand/)
    await expect(schedule(program, { daysOfMonth: [1], methods: ['PAYPAL'], currencies: [] })).rejects.toThrow(
      "Currencies can't be empty while there are days",
    )
  })

  test('sends runs without a person only for an owner with a second factor', async () => {
    const program = await app.createProgram()
    const email = `ann-${program.slug}@sched.test`
    const ann = await addMember(app, olga, program.id, { email, role: 'OWNER' })
    const own = { ...program, graphql: ann.graphql(program.id) }
    await expect(schedule(own, { sendUpToCents: 100 })).rejects.toThrow(/second factor/)
    await db.person.updateMany({ where: { email }, data: { hasSecondFactor: true } })
    expect(await schedule(own, { sendUpToCents: 100 })).toMatchObject({ sendUpToCents: 100 })
    const manager = await addMember(app, olga, program.id, { email: `bob-${program.slug}@sched.test`, role: 'MANAGER' })
    await expect(schedule({ ...program, graphql: manager.graphql(program.id) }, { weekdays: [] })).rejects.toThrow()
  })
})
