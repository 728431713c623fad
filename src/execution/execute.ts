import {
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeInterpreted,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isObjectType,
  locatedError,
  type OperationDefinitionNode,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'
import type { Actor } from '../kernel/context.ts'
import { usesMechanism } from '../kernel/engine.ts'
import { type FieldPlan, type PlannedOperation, plannedOperation, type Selection, type Shape } from './plan.ts'
import { giveUp, isPromise, Json, type MaybePromise, NotAtHand, textOf, type Writing, writerOf } from './write.ts'

type Path = ResponsePath | undefined
type Row = Record<string, unknown>

/** GraphQL's own limit of reported mistakes in variables. */
const maxVariableErrors = 50

/**
 * Executes an operation as GraphQL's own `execute` does, with the same result. Queries are executed by a plan that is
 * made once for each document, so that what remains for each row is to copy its columns: GraphQL's executor looks up
 * the field, its arguments and its type for every value. Mutations and introspection are left to it.
 */
export function execute(args: ExecutionArgs): MaybePromise<ExecutionResult> {
  return executePlanned(args, false)
}

/** As `execute`, but rows may be `Json` in a result without errors: see `textOf`. */
export function executeToJson(args: ExecutionArgs): MaybePromise<ExecutionResult> {
  return executePlanned(args, usesMechanism('json'))
}

function executePlanned(args: ExecutionArgs, writesJson: boolean): MaybePromise<ExecutionResult> {
  const { schema, document, operationName, variableValues, contextValue, rootValue } = args
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== 'query' || !usesMechanism('executor')) return executeInterpreted(args)
  const definitions = operation.variableDefinitions ?? []
  const { coerced, errors } = getVariableValues(schema, definitions, variableValues ?? {}, {
    maxErrors: maxVariableErrors,
  })
  if (errors) return { errors }
  const isAffiliate = (contextValue as { actor?: Actor } | undefined)?.actor?.kind === 'affiliate'
  const planned = plannedOperation({ schema, document, operation, variables: coerced, isAffiliate })
  if (!planned) return executeInterpreted(args)
  return new Execution(planned, operation, coerced, contextValue, rootValue, writesJson).run()
}

/** The info argument of resolvers, with the plan of their field. */
export type PlannedInfo = GraphQLResolveInfo & { plan?: FieldPlan | undefined }

class Execution implements Writing {
  private readonly errors: GraphQLError[] = []
  private readonly nulled = new Set<Path>()
  /** The arguments of each field, by its index. They are the same for all rows. */
  private readonly args: (Row | undefined)[] = []
  /** The info argument of resolvers of written rows: the same for all rows, without their paths. */
  private readonly infos: (GraphQLResolveInfo | undefined)[] = []

  constructor(
    private readonly planned: PlannedOperation,
    private readonly operation: OperationDefinitionNode,
    private readonly variables: Row,
    readonly context: unknown,
    private readonly root: unknown,
    private readonly writesJson: boolean,
  ) {}

  run(): MaybePromise<ExecutionResult> {
    const failed = (error: unknown) => {
      this.report(error as GraphQLError, undefined)
      return this.result(null)
    }
    try {
      const data = this.object(this.planned.selection, this.root, undefined)
      return isPromise(data) ? data.then((complete) => this.result(complete), failed) : this.result(data)
    } catch (error) {
      return failed(error)
    }
  }

  private result(data: Row | null): ExecutionResult {
    if (this.errors.length === 0) return { data }
    return { errors: this.errors, data: this.writesJson ? JSON.parse(textOf(data)) : data }
  }

  /** An error below a position that is null already says nothing new. */
  private report(error: GraphQLError, path: Path): void {
    for (let above = path; ; above = above.prev) {
      if (this.nulled.has(above)) return
      if (above === undefined) break
    }
    this.nulled.add(path)
    this.errors.push(error)
  }

  /** The selected fields of one object. Only objects with fields that have to be awaited become promises. */
  private object({ fields, empty }: Selection, source: unknown, path: Path): MaybePromise<Row> {
    const result = empty()
    let awaited: Pending | undefined
    try {
      for (let at = 0; at < fields.length; at += 1) {
        const field = fields[at] as FieldPlan
        const value = this.field(field, source as Row, path)
        // A promise holds the place of its value, which keeps the order of the fields.
        result[field.key] = value
        if (field.isAtHand || !isPromise(value)) continue
        awaited ??= { keys: [], values: [] }
        awaited.keys.push(field.key)
        awaited.values.push(value)
      }
    } catch (error) {
      if (!awaited) throw error
      // The other fields may fail as well, which must not end the process.
      return filled(result, awaited).finally(() => {
        throw error
      })
    }
    return awaited ? filled(result, awaited) : result
  }

  private field(field: FieldPlan, source: Row, parentPath: Path): unknown {
    const { shape } = field
    if (field.isAtHand) {
      try {
        return this.complete(field, shape, this.read(field, source, undefined), undefined)
      } catch (error) {
        return this.failed(field, shape, error, pathOf(field, parentPath))
      }
    }
    const path = pathOf(field, parentPath)
    try {
      const value = this.read(field, source, path)
      const completed = isPromise(value)
        ? value.then((awaited) => this.complete(field, shape, awaited, path))
        : this.complete(field, shape, value, path)
      return isPromise(completed)
        ? completed.then(undefined, (error: unknown) => this.failed(field, shape, error, path))
        : completed
    } catch (error) {
      return this.failed(field, shape, error, path)
    }
  }

  private read(field: FieldPlan, source: Row, path: Path): unknown {
    const { access } = field
    if (access.kind === 'column') return source[access.name]
    if (access.kind === 'constant') return access.value
    if (access.kind === 'relation' && source[access.name] !== undefined) return source[access.name]
    return access.resolve(source, this.argsOf(field), this.context, this.infoOf(field, path))
  }

  argsOf({ index, definition, nodes }: FieldPlan): Row {
    const args = this.args[index] ?? getArgumentValues(definition, nodes[0] as never, this.variables)
    this.args[index] = args
    return args
  }

  rowInfoOf(field: FieldPlan): GraphQLResolveInfo {
    const info = this.infos[field.index] ?? this.infoOf(field, undefined)
    this.infos[field.index] = info
    return info
  }

  private infoOf(plan: FieldPlan, path: Path): PlannedInfo {
    const { definition, nodes, parentType } = plan
    const { schema, fragments } = this.planned
    return {
      // With it, a resolver knows that its rows are written as JSON.
      plan: this.writesJson ? plan : undefined,
      fieldName: definition.name,
      fieldNodes: nodes,
      returnType: definition.type,
      parentType,
      path: path as ResponsePath,
      schema,
      fragments,
      rootValue: this.root,
      operation: this.operation,
      variableValues: this.variables,
    }
  }

  /** The value as the response has it. @param path of the value; needed for objects and lists only */
  private complete(field: FieldPlan, shape: Shape, value: unknown, path: Path): unknown {
    if (value instanceof Error) throw value
    if (value === null || value === undefined) {
      if (!shape.isNonNull) return null
      const { parentType, definition } = field
      throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`)
    }
    if (this.writesJson && shape.kind !== 'leaf') {
      const json = this.written(shape, value)
      if (json) return json
    }
    switch (shape.kind) {
      case 'leaf': {
        const serialized = shape.serialize(value)
        if (serialized === null || serialized === undefined)
          throw new Error(`The value of ${field.parentType.name}.${field.definition.name} has no serialized form.`)
        return serialized
      }
      case 'list':
        return this.list(field, shape.item, value, path)
      case 'object':
        return this.object(shape.selection(), value, path)
      case 'abstract': {
        const name = shape.type.resolveType?.(value, this.context, this.infoOf(field, path), shape.type)
        return isPromise(name)
          ? name.then((known) => this.object(shape.selectionOf(this.objectType(shape, known)), value, path))
          : this.object(shape.selectionOf(this.objectType(shape, name)), value, path)
      }
    }
  }

  /** The value as JSON. Undefined if it has to be completed field by field. */
  private written(shape: Shape, value: unknown): Json | undefined {
    const write = writerOf(shape)
    try {
      if (write) return new Json(write(value, this))
    } catch (error) {
      if (error instanceof NotAtHand) giveUp(shape)
    }
    return undefined
  }

  private objectType({ type }: Extract<Shape, { kind: 'abstract' }>, name: unknown): GraphQLObjectType {
    const found = typeof name === 'string' ? this.planned.schema.getType(name) : undefined
    if (isObjectType(found) && this.planned.schema.isSubType(type, found)) return found
    throw new Error(`Abstract type "${type.name}" was resolved to "${name}", which is not one of its types.`)
  }

  private list(field: FieldPlan, item: Shape, values: unknown, path: Path): MaybePromise<unknown[]> {
    if (typeof values !== 'object' || values === null || !(Symbol.iterator in values)) {
      const name = `${field.parentType.name}.${field.definition.name}`
      throw new Error(`Expected Iterable, but did not find one for field "${name}".`)
    }
    const pending: Promise<unknown>[] = []
    const complete = (value: unknown, key: number) => {
      const itemPath: Path = { prev: path, key, typename: undefined }
      try {
        const one = isPromise(value)
          ? value.then((awaited) => this.complete(field, item, awaited, itemPath))
          : this.complete(field, item, value, itemPath)
        if (!isPromise(one)) return one
        const safe = one.then(undefined, (error: unknown) => this.failed(field, item, error, itemPath))
        pending.push(safe)
        return safe
      } catch (error) {
        return this.failed(field, item, error, itemPath)
      }
    }
    try {
      const completed = Array.from(values as Iterable<unknown>, complete)
      return pending.length > 0 ? Promise.all(completed) : completed
    } catch (error) {
      // The items before may fail as well, which must not end the process.
      for (const one of pending) one.catch(() => {})
      throw error
    }
  }

  /** Null, with the error in the response; or the error is thrown on, because the value cannot be null. */
  private failed({ nodes }: FieldPlan, { isNonNull }: Shape, cause: unknown, path: Path): null {
    const error = locatedError(cause, nodes, responsePathAsArray(path))
    if (isNonNull) throw error
    this.report(error, path)
    return null
  }
}

type Pending = { keys: string[]; values: Promise<unknown>[] }

const filled = (result: Row, { keys, values }: Pending): Promise<Row> =>
  Promise.all(values).then((complete) => {
    for (const [at, key] of keys.entries()) result[key] = complete[at]
    return result
  })

const pathOf = ({ key, parentType }: FieldPlan, prev: Path): Path => ({ prev, key, typename: parentType.name })
