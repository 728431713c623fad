/** The channel that announces webhooks to send again to the workers. */
export const eventsChannel = 'tributary'

export type Listen = (onMessage: (message: string) => void) => Promise<() => Promise<void>>
