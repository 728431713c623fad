export const day = (at: string | Date) => (typeof at === 'string' ? at : at.toISOString()).slice(0, 10)
