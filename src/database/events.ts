/** The channel that announces webhooks to send again to the workers. */
export const eventsChannel = 'tributary'

/** Starts listening; returns a function that stops it. */
export type Listen = (onMessage: (message: string) => void) => Promise<() => Promise<void>>
