import { setTimeout as pause } from 'node:timers/promises'
import { standIns } from './all.ts'
import type { Fault, ServiceStandIn, Webhook } from './stand-in.ts'

type Options = {
  port: number
  settleAfterMs: number
  /** Where webhooks are sent, by service. */
  webhookUrls: Readonly<Record<string, string>>
  hasTrouble: boolean
}

const faults: Fault[] = ['lose answer', 'lose request', 'limit', 'fail', 'html']
/** How often the stand-ins look what they have to do, and meet trouble. */
const everyMs = 1_000
const mostDelayMs = 1_500

/** Webhooks that are sent later, after those that came after them. */
type Late = { standIn: ServiceStandIn; webhook: Webhook; turnsLeft: number }[]
const mostTurnsLate = 10

/** Runs the stand-ins until they are stopped, and prints the settings with which a server uses them. */
export async function runStandIns({ port, settleAfterMs, webhookUrls, hasTrouble }: Options): Promise<void> {
  const kinds = Object.entries(standIns)
  const running = await Promise.all(
    kinds.map(async ([id, kind], index) => ({
      id,
      kind,
      standIn: await kind.start({ port: port + index, perSecond: kind.perSecond }),
    })),
  )
  const lines = [
    'Stand-ins of payout services are running. Start the server with:',
    ...running.map(({ kind, standIn }) => `  ${kind.setting}=${standIn.url}`),
    ...running.flatMap(({ kind, standIn }) => [
      `Connect ${kind.name} with the credentials:`,
      `  ${JSON.stringify(kind.credentialsOf(standIn))}`,
    ]),
    'Stop them with Ctrl+C.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  const told = new Map<string, string>()
  const late: Late = []
  for (let turn = 0; ; turn += 1) {
    await pause(everyMs)
    for (const { id, kind, standIn } of running) {
      if (hasTrouble && turn % 3 === 0)
        standIn.fault(kind.sends, faults[Math.floor(Math.random() * faults.length)] as Fault)
      if (hasTrouble) standIn.delayMs = Math.random() * mostDelayMs
      standIn.settle(new Date(), Date.now() - settleAfterMs)
      const address = webhookUrls[id]
      if (address !== undefined) await tell(standIn, address, hasTrouble ? { told, late } : { told })
    }
  }
}

/** Sends each news twice. With trouble, some come late, and so after what happened since. */
async function tell(
  standIn: ServiceStandIn,
  address: string,
  { told, late }: { told: Map<string, string>; late?: Late },
): Promise<void> {
  const send = async ({ body, headers }: Webhook) => {
    const all = { ...headers, 'content-type': 'application/json' }
    await fetch(address, { method: 'POST', headers: all, body }).catch((error: Error) => {
      process.stderr.write(`The webhook was not taken: ${error.message}\n`)
    })
  }
  for (const { ourId, word } of standIn.states()) {
    if (told.get(ourId) === word) continue
    const notice = standIn.notice(ourId)
    told.set(ourId, word)
    if (late && Math.random() < 0.5)
      late.push({ standIn, webhook: notice, turnsLeft: 1 + Math.floor(Math.random() * mostTurnsLate) })
    else for (let times = 0; times < 2; times += 1) await send(notice)
  }
  for (const one of late?.filter((held) => held.standIn === standIn) ?? []) {
    one.turnsLeft -= 1
    if (one.turnsLeft > 0) continue
    late?.splice(late.indexOf(one), 1)
    for (let times = 0; times < 2; times += 1) await send(standIn.signAgain?.(one.webhook, new Date()) ?? one.webhook)
  }
}
