import type { Language } from '../../../../kernel/languages.ts'
import { de } from './de.ts'
import { en, type JoinTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'

export const joinTexts: Readonly<Record<Language, JoinTexts>> = { en, de, fr, es, pt, ja }
