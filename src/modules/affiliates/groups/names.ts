/** The form in which names of groups are compared, and in which they are unique. */
export const groupKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase()
