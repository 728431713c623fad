import { counted, type Forms, type Language } from '../../../kernel/languages.ts'
import { formatNumber } from '../../parts/locale.ts'

/** Returns what writes a count with its words. `#` is the count. */
export const countedIn = (language: Language, forms: Forms) => (count: number) =>
  counted(language, count, forms, formatNumber(count))
