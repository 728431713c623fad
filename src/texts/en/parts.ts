/** What tables, charts and buttons say that the pages share. */
export const english = {
  /** The language of lists such as "€20.00 and £15.00". */
  language: 'en',
  copy: 'Copy',
  copied: (text: string) => `Copied: ${text}`,
  copyBlocked: 'Your browser blocked copying. The text is selected: press Ctrl+C or Command+C.',
  tryAgain: 'Try again',
  colors: 'Colors',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  chart: {
    range: (name: string, first: string, last: string) => `${name} from ${first} to ${last}`,
    soFar: (label: string) => `${label} so far`,
    highest: (range: string, value: string, label: string) => `${range}. Highest: ${value} (${label}).`,
    empty: (range: string) => `${range}: none.`,
  },
}

export type PartTexts = typeof english
