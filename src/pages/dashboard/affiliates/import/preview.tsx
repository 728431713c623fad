import { formatCount } from '../../../parts/format.tsx'
import { Table } from '../../../parts/table.tsx'
import type { CsvRecord } from '../../csv/read.ts'
import { texts } from '../../texts.ts'
import { Scrolls } from '../../ui/scrolls.tsx'
import type { ImportFile } from './read-lines.ts'
import type { LineProblem } from './use-import.ts'

const words = texts.affiliates.import
const shownLines = 4
const shownProblems = 100

/** The first lines, as they were read. */
export const Preview = ({ file: { header, lines } }: { file: ImportFile }) =>
  lines.length === 0 ? (
    <p className="quiet">{words.empty}</p>
  ) : (
    <Scrolls name={words.preview(formatCount(lines.length, 'line'))} className="csv-preview">
      <Table
        caption={words.preview(formatCount(lines.length, 'line'))}
        columns={header.values.map((name, index) => ({ name, cell: ({ values }: CsvRecord) => values[index] ?? '' }))}
        rows={lines.slice(0, shownLines)}
        keyOf={({ line }) => String(line)}
      />
    </Scrolls>
  )

/** What is wrong, by line of the file. */
export const Problems = ({ problems }: { problems: readonly LineProblem[] }) => (
  <Scrolls name={words.problems(problems.length)} className="problems">
    <Table
      caption={words.problems(problems.length)}
      columns={[
        { name: words.line, cell: ({ line }) => `${words.line} ${line}`, isPlain: true },
        {
          name: words.column,
          cell: ({ field }) => (field ? <code>{field}</code> : words.wholeLine),
          isPlain: true,
        },
        { name: words.problem, cell: ({ message }) => message, isPlain: true },
      ]}
      rows={problems.slice(0, shownProblems)}
      keyOf={({ line, field, message }) => `${line} ${field} ${message}`}
    />
  </Scrolls>
)
