import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  TypeNameMetaFieldDef,
} from 'graphql'
import { extensionsOf } from './pothos.ts'

type Resolver = GraphQLFieldResolver<unknown, unknown>
type Row = Record<string, unknown> | null | undefined

/** Where the value of a field is: in a column, constant, in the loaded related row, or returned by a resolver. */
export type Access =
  | { kind: 'column'; name: string }
  | { kind: 'constant'; value: unknown }
  | { kind: 'relation'; name: string; resolve: Resolver; isGuarded: false; own: Resolver; isComputed: false }
  | {
      kind: 'resolver'
      resolve: Resolver
      /** The field's resolver as its module has written it, if it is known. */
      own?: Resolver
      isComputed: boolean
      isGuarded: boolean
    }

type Check = 'affiliate access' | 'client gone'

/** `own` is the field's resolver as its module has written it. */
type Checked = { check: Check; resolve: Resolver; own: Resolver | undefined }

const checked = new WeakMap<object, Checked>()

/** Remembers what a plugin adds to a resolver, so that it can be left out where the check has nothing to do. */
export function addCheck<R extends object>(check: Check, resolve: R, checking: R, own?: unknown): R {
  checked.set(checking, { check, resolve: resolve as unknown as Resolver, own: own as Resolver | undefined })
  return checking
}

const insideOf = (check: Check, resolve: Resolver): Checked | undefined => {
  const found = checked.get(resolve)
  return found?.check === check ? found : undefined
}

const columns = new WeakMap<object, string>()

/** A resolver that reads a column of the row, for a field of another name. */
export function columnResolver(name: string): Resolver {
  const resolve: Resolver = (row) => (row as Row)?.[name]
  columns.set(resolve, name)
  return resolve
}

/** How the executor reads a field. Only affiliate tokens need the access check. */
export function accessOf(
  field: GraphQLField<unknown, unknown>,
  parentType: GraphQLObjectType,
  { isAffiliate }: { isAffiliate: boolean },
): Access {
  if (field === TypeNameMetaFieldDef) return { kind: 'constant', value: parentType.name }
  const given = field.resolve ?? defaultFieldResolver
  const column = columns.get(given)
  if (column !== undefined) return { kind: 'column', name: column }
  const { pothosExposedField, pothosPrismaSelect: select, ...extensions } = extensionsOf(field)
  const guarded = insideOf('affiliate access', given)
  if (isAffiliate && guarded) return { kind: 'resolver', resolve: given, isComputed: false, isGuarded: true }
  if (extensions.constant !== undefined) return { kind: 'constant', value: extensions.constant }
  const resolve = guarded?.resolve ?? given
  if (resolve === defaultFieldResolver && pothosExposedField === field.name && !select)
    return { kind: 'column', name: field.name }
  // Unknown if the resolver was replaced, as REST does for states: then the field's extensions say nothing about it.
  const own = insideOf('client gone', resolve)?.own
  if (!own) return { kind: 'resolver', resolve, isComputed: !select, isGuarded: false }
  if (pothosExposedField !== undefined && !select) return { kind: 'column', name: pothosExposedField }
  const relation = extensions.pothosPrismaRelationField
  if (relation && !relation.isList)
    return { kind: 'relation', name: relation.name, resolve, own, isComputed: false, isGuarded: false }
  const isLoaded = select && loadedCheck(select)
  if (!isLoaded) return { kind: 'resolver', resolve, own, isComputed: !select, isGuarded: false }
  return {
    kind: 'resolver',
    resolve: (row, ...rest) => (isLoaded(row as Row) ? own : resolve)(row, ...rest),
    isComputed: true,
    isGuarded: false,
  }
}

/** Whether a row has all columns and related rows of a selection. Undefined for lists: conditions may differ. */
function loadedCheck(select: object): ((row: Row) => boolean) | undefined {
  const checks = Object.entries(select).map(([name, wanted]): ((row: Row) => boolean) | undefined => {
    if (wanted === true) return (row) => row?.[name] !== undefined
    const { select: nested, ...conditions } = Object(wanted) as { select?: object }
    const isLoaded = nested && Object.keys(conditions).length === 0 ? loadedCheck(nested) : undefined
    return isLoaded && ((row) => row?.[name] === null || isLoaded(row?.[name] as Row))
  })
  const known = checks.filter((check) => check !== undefined)
  if (typeof select === 'function' || known.length < checks.length) return undefined
  return (row) => known.every((isLoaded) => isLoaded(row))
}
