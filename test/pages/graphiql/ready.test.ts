import { parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { nextWeek } from '../../../src/pages/graphiql/ready/dates.ts'
import { readyQueries } from '../../../src/pages/graphiql/ready/queries.ts'
import { viewOf } from '../../../src/pages/graphiql/result/view.ts'
import { publicSchema } from '../../../src/schema/schema.ts'

const now = new Date('2026-03-10T12:00:00Z')

it.each(readyQueries.map((ready) => [ready.title, ready] as const))(
  '"%s" is valid against the schema, and its variables are given',
  (_, ready) => {
    const document = parse(ready.query)
    const operation = document.definitions[0]
    if (operation?.kind !== 'OperationDefinition') throw new Error('no operation')
    const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
    expect(Object.keys(ready.variables(now, 'UTC'))).toEqual(declared)
    expect(validate(publicSchema, document)).toEqual([])
  },
)

it('each has a description, a view and a unique operation name', () => {
  for (const ready of readyQueries) {
    expect(ready.query).toMatch(/^# \w.*\.\n# view: (table|chart)\nquery \w+/)
    expect(viewOf(ready.query)).toBeDefined()
  }
  const names = readyQueries.map(({ query }) => /^query (\w+)/m.exec(query)?.[1])
  expect(new Set(names).size).toBe(readyQueries.length)
})

it.each(['2026-03-09T00:00:00', '2026-03-11T15:30:00', '2026-03-15T23:59:59'])(
  'on %s, next week is from the 16th to the 23rd, at midnight in the time zone',
  (local) => {
    const { from, to } = nextWeek(new Date(local))
    expect([from, to]).toEqual([
      new Date('2026-03-16T00:00:00').toISOString(),
      new Date('2026-03-23T00:00:00').toISOString(),
    ])
  },
)
