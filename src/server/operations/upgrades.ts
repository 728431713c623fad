import type { Logger } from 'pino'

const hour = 60 * 60_000
const askEveryMs = 24 * hour
const timeoutMs = 5_000
/** An answer with one version is short. */
const maxBytes = 64 * 1024

/** `1.2.3`, with or without a `v`. Versions for trials, such as 2.0.0-beta.1, are not announced. */
const form = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

type Fetch = typeof fetch

export type Upgrades = {
  /** The newest version, if it is newer than the running one. Null before it is known. */
  newer(): string | null
  /** Asks now. It never throws: a service works without knowing what is new. */
  ask(): Promise<void>
}

type UpgradesOptions = { url: string; version: string; log: Logger; fetch?: Fetch }

/** Asks an address once a day which version is the newest. */
export function createUpgrades({ url, version, log, fetch: get = fetch }: UpgradesOptions): Upgrades {
  let newer: string | null = null
  const upgrades: Upgrades = {
    newer: () => newer,
    async ask() {
      try {
        const newest = await readNewest(get, url)
        const found = isNewer(newest, version) ? newest : null
        if (found !== null && found !== newer) log.info({ version, newest: found }, 'newer version available')
        newer = found
      } catch (err) {
        log.warn({ err }, 'newest version not known')
      }
    },
  }
  return upgrades
}

export function askDaily({ ask }: Upgrades): void {
  void ask()
  setInterval(ask, askEveryMs).unref()
}

/** The answer is the version as text, or JSON with `version`. @throws Error for any other answer */
async function readNewest(get: Fetch, url: string): Promise<string> {
  const response = await get(url, { signal: AbortSignal.timeout(timeoutMs), headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}.`)
  const text = await readShort(response)
  const [, ...numbers] = form.exec(versionIn(text).trim()) ?? []
  if (numbers.length === 0) throw new Error(`${url} answered without a version such as 1.2.3.`)
  return numbers.join('.')
}

async function readShort(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`${response.url} answered with more than ${maxBytes} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

function versionIn(text: string): string {
  try {
    const value: { version?: unknown } | string | null = JSON.parse(text)
    return String(typeof value === 'object' ? value?.version : value)
  } catch {
    return text
  }
}

function isNewer(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map((text) => text.split('-')[0]?.split('.').map(Number) ?? [])
  const place = numbers?.findIndex((number, index) => number !== others?.[index]) ?? -1
  return place >= 0 && (numbers?.[place] ?? 0) > (others?.[place] ?? 0)
}
