import type { Tool } from '../tool.ts'
import { makeLink, myEarnings, myLinks, myTerms, nextPayment, why } from './affiliates.ts'
import { attention } from './attention.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { find } from './find.ts'
import { list } from './list.ts'
import { plan } from './plan.ts'
import { propose } from './propose.ts'
import { query } from './query.ts'
import { report } from './report.ts'

export const tools: readonly Tool[] = [
  ...[find, explain, report, list, plan, attention, query, propose, doctor],
  ...[myEarnings, why, myLinks, makeLink, myTerms, nextPayment],
]
