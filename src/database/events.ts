/** The channel on which the database's triggers notify about events. */
export const eventsChannel = 'tributary'

/** Starts listening; returns a function that stops it. */
export type Listen = (onMessage: (message: string) => void) => Promise<() => Promise<void>>
