/** The channel on which workers are told that webhooks are to be sent again. */
export const eventsChannel = 'tributary'

/** Starts listening; returns a function that stops it. */
export type Listen = (onMessage: (message: string) => void) => Promise<() => Promise<void>>
