import { useCallback, useEffect, useRef, useState } from 'react'
import {
  ImportAffiliatesDocument,
  type ImportAffiliatesInput,
} from '../../../../generated/dashboard/affiliates/graphql.ts'
import { useAction } from '../../api/use-data.ts'
import { type ImportFile, partsOf } from './read-lines.ts'

export type LineProblem = { line: number; field: string | null; message: string }

export type ImportReport = {
  created: number
  skipped: number
  failed: number
  problems: readonly LineProblem[]
  /** Why the service rejected the whole file. Its later lines were not read. */
  failure?: string
}

type Options = Pick<ImportAffiliatesInput, 'campaignId' | 'dryRun' | 'recordEvents'>

/** Returns a function that sends a file in parts, and how many lines were sent. Leaving the view ends it. */
export function useImport() {
  const [action] = useAction(ImportAffiliatesDocument)
  const [sent, setSent] = useState(0)
  const run = useRef(0)
  useEffect(
    () => () => {
      run.current += 1
    },
    [],
  )
  const send = useCallback(
    async (file: Pick<ImportFile, 'header' | 'lines'>, options: Options): Promise<ImportReport | null> => {
      run.current += 1
      const own = run.current
      const report = { created: 0, skipped: 0, failed: 0, problems: [] as LineProblem[] }
      const parts = partsOf(file)
      setSent(0)
      for (const [index, { csv, count, lineOf }] of parts.entries()) {
        const refreshes = !options.dryRun && index === parts.length - 1
        const { data, failure } = await action({ input: { csv, ...options } }, { refreshes })
        if (run.current !== own) return null
        if (!data) return { ...report, failure }
        const { created, skipped, failed, lines } = data.importAffiliates
        // A part with a problem creates nothing. Without the lines with problems it creates the others.
        report.created += options.dryRun ? lines.length - skipped - failed : created
        report.skipped += skipped
        report.failed += failed
        for (const { line, problems } of lines)
          report.problems.push(...problems.map((problem) => ({ line: lineOf(line), ...problem })))
        setSent((before) => before + count)
        // A part is created whole or not at all.
        if (failed > 0 && !options.dryRun) return report
      }
      return report
    },
    [action],
  )
  return [send, sent] as const
}
