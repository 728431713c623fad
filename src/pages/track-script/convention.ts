/** The names of the convention: the function `rewardful`, the object `Rewardful` and its event. */

type Api = {
  readonly referral: string | null
  readonly affiliate: object | null
  readonly campaign: object | null
  ready(...args: unknown[]): Promise<unknown>
  convert(...args: unknown[]): Promise<unknown>
  source(...args: unknown[]): Promise<unknown>
  consent(...args: unknown[]): unknown
}

type Call = ArrayLike<unknown>
type Queue = { (...call: unknown[]): void; q?: Call[] | { push(call: Call): void } }

/** Defines the names, and runs the calls that were made before the script was there. */
export function speakConvention(api: Api): void {
  const page = window as unknown as Record<string, unknown>
  const name = typeof page._rwq === 'string' ? page._rwq : 'rewardful'
  const { ready, convert, source, consent } = api
  const methods: Record<string, (...args: unknown[]) => unknown> = { ready, convert, source, consent }
  page.Rewardful = {
    ...methods,
    // The convention has an empty text where there is no referral.
    get referral() {
      return api.referral || ''
    },
    get affiliate() {
      return api.affiliate
    },
    get campaign() {
      return api.campaign
    },
    // Discounts of a campaign for the customer do not exist here.
    coupon: null,
  }
  const run = (call: Call) => {
    try {
      const [method, ...args] = Array.from(call)
      methods[method as string]?.(...args)
    } catch {}
  }
  const stub = page[name] as Queue | undefined
  const calls = (stub?.q as Call[]) || []
  const queue: Queue = (...call) => run(call)
  // A page may have kept the function of its snippet, which pushes into its queue.
  queue.q = { push: run }
  if (stub) stub.q = queue.q
  page[name] = queue
  Array.from(calls).forEach(run)
  void ready(() =>
    document.dispatchEvent(new CustomEvent('Rewardful.initialized', { bubbles: true, detail: page.Rewardful })),
  )
}
