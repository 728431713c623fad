/** Words as they can stand in an address: "Café Nord, Inc." reads "cafe-nord-inc"; empty where no Latin letter or digit is left. */
export const spelled = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
