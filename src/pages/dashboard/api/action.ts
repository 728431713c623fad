import type { ActionInputs } from '../../../generated/dashboard/actions.ts'
import type { Document } from '../../parts/graphql.ts'

/** A mutation by its name, for views that only ask whether it succeeded. The input is the schema's, `NameInput`. */
export function action<Name extends keyof ActionInputs>(
  name: Name,
): Document<Record<Name, unknown>, { input: ActionInputs[Name] }> {
  const operation = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return `mutation ${operation}($input: ${operation}Input!) { ${name}(input: $input) { __typename } }`
}
