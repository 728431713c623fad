import { counted, type Forms, type Language } from '../kernel/languages.ts'

let write: (count: number) => string = String

/** Sets how texts write counts, such as "1,200". Pages in a browser set it; the service writes digits alone. */
export function writeCountsBy(format: (count: number) => string): void {
  write = format
}

/** Returns the function that chooses among the plural forms of a language. `#` is the count. */
export const formsIn = (language: Language) => (forms: Forms) => (count: number) =>
  counted(language, count, forms, write(count))
