import type { Model, Relation } from './models.ts'

/** A place in the arguments of a query, as JavaScript: `args["where"]["id"]`. */
export type Place = string

export const within = (place: Place, name: string | number): Place => `${place}[${JSON.stringify(name)}]`

export class Scope {
  /** JavaScript that takes each parameter from the arguments. */
  readonly parameters: string[] = []
  #tables = 0
  #isNegated = false

  parameter(expression: string): string {
    this.parameters.push(expression)
    return `$${this.parameters.length}`
  }

  /** Whether the condition that is being compiled is negated, within the innermost list of related rows. */
  get isNegated(): boolean {
    return this.#isNegated
  }

  /** Compiles a part that is negated, or is not. */
  compile(isNegated: boolean, part: () => string): string {
    const outer = this.#isNegated
    this.#isNegated = isNegated
    const sql = part()
    this.#isNegated = outer
    return sql
  }

  alias(): string {
    this.#tables += 1
    return `t${this.#tables}`
  }
}

export const quoted = (name: string): string => `"${name}"`

export const tableOf = ({ table }: Model, alias: string): string => `"public".${quoted(table)} ${alias}`

export const columnOf = (alias: string, { column }: { column: string }): string => `${alias}.${quoted(column)}`

/** The condition that joins the rows of a relation to those that it belongs to. */
export const joined = ({ pairs }: Relation, here: string, there: string): string =>
  pairs.map(([own, other]) => `${columnOf(there, other)} = ${columnOf(here, own)}`).join(' and ')
