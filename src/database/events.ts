/** Where the triggers of the migrations tell what has happened. */
export const eventsChannel = 'tributary'

/** Hears what is told from now on; call the answer to hear no more. */
export type Listen = (onMessage: (message: string) => void) => Promise<() => Promise<void>>
