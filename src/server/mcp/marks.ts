import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { publicSchema } from '../../schema/schema.ts'

/** What an operation selects, as JSON has it. */
export type Data = Record<string, ReturnType<typeof JSON.parse>>

/**
 * What others wrote is data: names, e-mails, notes, codes, mails, and every sentence that has one of them. An answer
 * has such a text as `{"untrusted": "…"}`. The type of a field decides: all of these scalars are marked, but for the
 * fields below, whose texts this service has made. So a new field is marked, unless it is listed here.
 */
const textScalars = new Set(['String', 'EmailAddress', 'URL', 'JSONObject', 'EventData'])

const ownTexts = new Set([
  ...[
    'Money.formatted',
    'ProposalEffect.text',
    'Analytics.timeZone',
    'AffiliateAnalytics.timeZone',
    'Program.timeZone',
    'AttentionItem.text',
    'AttentionItem.page',
  ],
  ...['PageInfo.startCursor', 'PageInfo.endCursor', 'Program.locale', 'Proposal.refusal', 'Explanation.exactAmount'],
  ...[
    'Finding.promise',
    'Diagnosis.names',
    'Diagnosis.newerVersion',
    'SeriesPoint.label',
    'TimeSeriesPoint.label',
    'Cohort.month',
  ],
  ...['InstallationStatus.version', 'InstallationStatus.newerVersion', 'Program.slug'],
])

const isOwnText = (type: string, field: string) =>
  field === '__typename' || (field === 'cursor' && type.endsWith('Edge')) || ownTexts.has(`${type}.${field}`)

/** The selected fields of an object, by their keys in the answer. */
type Below = Map<string, { field: string; type: GraphQLOutputType; owner: string; sets: SelectionSetNode[] }>

/** The data of an operation, with the texts of others marked. */
export function marked(document: DocumentNode, data: Data | null | undefined): Data {
  const operation = getOperationAST(document)
  const query = operation?.operation === 'mutation' ? publicSchema.getMutationType() : publicSchema.getQueryType()
  if (!operation || !query || !data) return {}
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  )

  // The rows of a list have the same fields, unless a fragment is of some types only.
  const plans = new Map<readonly SelectionSetNode[], { type: GraphQLCompositeType; fields: Below }>()

  const object = (type: GraphQLCompositeType, selections: readonly SelectionSetNode[], value: Data): Data => {
    const result: Data = { ...value }
    const known = plans.get(selections)
    const fields = known?.type === type ? known.fields : fieldsOf(type, selections, value)
    for (const [key, { field, type: of, owner, sets }] of fields) {
      const one = value[key]
      if (one !== null && one !== undefined) result[key] = item(owner, field, of, sets, one)
    }
    return result
  }

  const fieldsOf = (type: GraphQLCompositeType, selections: readonly SelectionSetNode[], value: Data): Below => {
    const below: Below = new Map()
    let isSame = true
    const visit = (of: GraphQLCompositeType, set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          const field = selection.name.value
          const key = selection.alias?.value ?? field
          const definition = 'getFields' in of ? of.getFields()[field] : undefined
          if (!definition || !(key in value)) continue
          const known = below.get(key) ?? { field, type: definition.type, owner: of.name, sets: [] }
          if (selection.selectionSet) known.sets.push(selection.selectionSet)
          below.set(key, known)
        } else {
          isSame = false
          const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
          const name = fragment?.typeCondition?.name.value
          const within = name === undefined ? of : publicSchema.getType(name)
          if (fragment && within && isCompositeType(within) && holds(within, value))
            visit(within, fragment.selectionSet)
        }
      }
    }
    for (const set of selections) visit(type, set)
    if (isSame) plans.set(selections, { type, fields: below })
    return below
  }

  const item = (
    owner: string,
    field: string,
    type: GraphQLOutputType,
    sets: SelectionSetNode[],
    value: unknown,
  ): unknown => {
    if (value === null || value === undefined) return value
    if (Array.isArray(value)) return value.map((one) => item(owner, field, type, sets, one))
    const named = getNamedType(type)
    if (isCompositeType(named)) return object(named, sets, value as Data)
    const isText = isScalarType(named) && textScalars.has(named.name) && !isOwnText(owner, field)
    return isText ? { untrusted: value } : value
  }

  return object(query, [operation.selectionSet], data)
}

/** Whether a fragment on the type was applied. Without the name of the row's type, its keys say it. */
function holds(type: GraphQLCompositeType, value: Data): boolean {
  const name = value.__typename
  if (typeof name !== 'string' || type.name === name) return true
  const object = publicSchema.getType(name)
  return isAbstractType(type) && isObjectType(object) && publicSchema.isSubType(type, object)
}

/** A text that was marked. */
export const textOf = (value: unknown): string | null =>
  value !== null && typeof value === 'object' && 'untrusted' in value ? String(value.untrusted) : null
