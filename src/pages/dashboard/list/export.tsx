import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { toMajorUnits } from '../../../kernel/money/decimals.ts'
import { pluralOf } from '../../../kernel/text.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatCount } from '../../parts/format.tsx'
import { type Cell, fileName, writeCells } from '../../parts/result/spreadsheet.ts'
import { saveFile } from '../../parts/save-file.ts'
import type { Column, FileValue } from '../../parts/table.tsx'
import { texts } from '../texts.ts'
import { Progress } from '../ui/progress.tsx'
import { useToast } from '../ui/toast.tsx'
import type { ListProps } from './props.ts'
import type { ListSearch } from './search.ts'

const words = texts.list.export

/** The largest page of the service. */
const size = 100

/** The columns of the file: some columns of a list are several. */
const fieldsOf = <Node,>(columns: readonly Column<Node>[]): [name: string, read: (node: Node) => FileValue][] =>
  columns.flatMap(({ name, csv }) => (typeof csv === 'function' ? [[name, csv]] : Object.entries(csv ?? {})))

/** The rows of a file with its heads. Money is two columns, the amount in major units and the currency. */
export function cellsOf<Node>(columns: readonly Column<Node>[], nodes: readonly Node[]): Cell[][] {
  const fields = fieldsOf(columns).map(([name, read]) => ({ name, values: nodes.map(read) }))
  const isMoney = fields.map(({ values }) => values.some((value) => typeof value === 'object' && value !== null))
  const heads = fields.flatMap(({ name }, index) => (isMoney[index] ? [name, words.currencyOf(name)] : [name]))
  const lines = nodes.map((_, line) =>
    fields.flatMap(({ values }, index) => {
      const value = values[line]
      if (typeof value === 'object' && value !== null)
        return [{ digits: toMajorUnits(BigInt(value.cents), value.currency) }, value.currency.toUpperCase()]
      const cell = typeof value === 'number' ? { digits: String(value) } : String(value ?? '')
      return isMoney[index] ? [cell, ''] : [cell]
    }),
  )
  return [heads, ...lines]
}

type ExportProps<Data, Variables, Node> = {
  list: Pick<ListProps<Data, Variables, Node>, 'noun' | 'document' | 'variables' | 'connection'>
  /** Those that are shown. */
  columns: readonly Column<Node>[]
  search: ListSearch
  onDone(): void
}

/** Saves all rows of a list, not only those of the page. Closing the window ends it. */
export function Export<Data, Variables extends object, Node>(props: ExportProps<Data, Variables, Node>) {
  const client = useClient()
  const show = useToast()
  const [progress, setProgress] = useState({ rows: 0, total: 0 })
  const [failure, setFailure] = useState<string>()
  const isClosed = useRef(false)
  const {
    list: { noun, document, variables, connection },
    columns,
    search,
    onDone,
  } = useRef(props).current

  async function read() {
    const nodes: Node[] = []
    setFailure(undefined)
    for (let after: string | undefined; ; ) {
      const given = variables(search, after === undefined ? { first: size } : { first: size, after })
      const { data, error } = await client
        .query<Data>(document.toString(), given, { isReadOnce: true, requestPolicy: 'network-only' })
        .toPromise()
      if (isClosed.current) return
      if (!data) return setFailure(error?.graphQLErrors[0]?.message ?? texts.failures.unreachable)
      const page = connection(data)
      nodes.push(...page.nodes)
      setProgress({ rows: nodes.length, total: page.totalCount })
      after = page.pageInfo.endCursor ?? undefined
      if (!page.pageInfo.hasNextPage) break
    }
    const file = fileName(pluralOf(noun), 'csv', new Date())
    saveFile(file, 'text/csv', writeCells(cellsOf(columns, nodes), { bom: true }))
    show(words.done(formatCount(nodes.length, noun)))
    onDone()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins when the window opens
  useEffect(() => {
    isClosed.current = false
    void read()
    return () => {
      isClosed.current = true
    }
  }, [])

  if (failure) return <FailureNotice message={failure} onRetry={() => void read()} />
  return (
    <>
      <p>{words.lead(formatCount(progress.total, noun))}</p>
      <Progress label={words.running} done={progress.rows} count={progress.total} />
      <div className="dialog-foot">
        <button type="button" onClick={onDone}>
          {texts.cancel}
        </button>
      </div>
    </>
  )
}
