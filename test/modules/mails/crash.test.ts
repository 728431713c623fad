import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { adminToken, createTestProgram, graphqlClient } from '../../support/app.ts'
import { makeDataDir, startChild } from '../../support/data-directory.ts'
import { createPostgresClone } from '../../support/database.ts'
import { createSmtp } from '../../support/smtp.ts'

const kills = Number(process.env.KILLS)
/** So many mails can be in the hands of one instance at a time. */
const atATime = 8
const mailsOfRound = 100

test('kill -9 while mails are sent and applications arrive loses none, and sends only those twice that were being sent', async () => {
  const smtp = await createSmtp()
  onTestFinished(smtp.close)
  const postgres = inject('databases').postgres ? await createPostgresClone() : null
  if (postgres) onTestFinished(postgres.drop)
  const dataDir = postgres ? tmpdir() : await makeDataDir()
  const start = async () => {
    const child = startChild('src/main.ts', [], {
      ...{ NODE_ENV: 'production', PORT: '0', ADMIN_TOKEN: adminToken, WEBHOOK_KEY: 'key-of-the-mail-tests' },
      ...{ TRUSTED_PROXIES: '1' },
      ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'partners@acme.test' },
      ...{ DATA_DIR: dataDir, DATABASE_URL: postgres?.url ?? '' },
    })
    return { child, address: JSON.parse(await child.ready()).address as string }
  }
  let server = await start()
  onTestFinished(() => void server.child.process.kill('SIGKILL'))
  const fetchHere = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${server.address}${pathname}${search}`, request))
  }
  const operator = graphqlClient(fetchHere, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(fetchHere, operator, {})
  const invite = (round: number) => {
    const emails = Array.from({ length: mailsOfRound }, (_, index) => `r${round}-${index}@crash.test`)
    const mutation =
      'mutation ($emails: [EmailAddress!]!) { inviteApplicants(input: { emails: $emails }) { mails { id } } }'
    return program.graphql(mutation, { emails })
  }
  /** Those who were told that their application arrived. Others can have one too, whose answer was lost. */
  const applied = new Set<string>()
  const applyUntilKilled = async (round: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const email = `applicant${round}-${index}@crash.test`
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.${round}.0.${index % 256}` }
      const request = { method: 'POST', headers, body: JSON.stringify({ email }) }
      const response = await fetch(`${server.address}/join/${program.slug}`, request).catch(() => null)
      if (!response) return
      if (response.status === 202) applied.add(email)
    }
  }
  for (let round = 0; round <= kills; round += 1) {
    await invite(round)
    if (round === kills) break
    void applyUntilKilled(round)
    await pause(randomInt(1_500))
    server.child.process.kill('SIGKILL')
    await server.child.exited
    server = await start()
  }
  const count = async (state: string) =>
    (await program.graphql(`{ mails(first: 1, where: { state: { equals: ${state} } }) { totalCount } }`)).mails
      .totalCount
  // What was leased by a lost instance is sent after its lease.
  await expect.poll(() => count('PENDING'), { timeout: 300_000, interval: 500 }).toBe(0)
  const invited = (kills + 1) * mailsOfRound
  const all = await count('SENT')
  const received = new Map<string, typeof smtp.received>()
  for (const mail of smtp.received) {
    const to = String(mail.recipients[0])
    received.set(to, [...(received.get(to) ?? []), mail])
  }
  expect(received.size).toBe(all)
  expect([...received.keys()].filter((to) => /^r\d/.test(to))).toHaveLength(invited)
  expect([...applied].filter((to) => !received.has(to))).toEqual([])
  expect(applied.size).toBeGreaterThan(kills)
  const twice = [...received.values()].filter((mails) => mails.length > 1)
  expect(twice.length).toBeLessThanOrEqual(kills * atATime)
  // The receiver can tell a repetition by the id of the message.
  for (const mails of twice) expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
}, 1_200_000)
