import { getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'

/** What something is or does: predicates. */
const predicates = ['accepts', 'agrees', 'can', 'gets', 'has', 'is', 'mails', 'may', 'needs', 'sends', 'shows']

/** What the service is to do: options of queries and mutations. */
const instructions = ['confirm', 'include', 'keep', 'leave', 'notify', 'record', 'restart']

/** Other names, and where they are from. */
const exceptions: Record<string, string> = {
  dryRun: 'The word of the field.',
  duplicate: "The contract's word.",
  equals: 'The comparison of a filter.',
  none: 'The kind of a reward, beside `percent` and `tiers`.',
  private: "The contract's word.",
  receiveNewCommissionNotifications: "The convention's word.",
  waiting: "REST's word, beside `duplicate`.",
}

const types = Object.values(publicSchema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
const outputs = types
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, type: of, args }) => [
      { path: `${type.name}.${name}`, name, of },
      ...args.map((arg) => ({ path: `${type.name}.${name}(${arg.name}:)`, name: arg.name, of: arg.type })),
    ]),
  )
const inputs = types
  .filter(isInputObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).map(({ name, type: of }) => ({ path: `${type.name}.${name}`, name, of })),
  )
const booleans = [...outputs, ...inputs].filter(({ of }) => /^Boolean(Filter)?$/.test(getNamedType(of).name))

const verbs = new RegExp(`^(${[...predicates, ...instructions].join('|')})(?![a-z])`)

it('the name of a boolean begins with a verb: `isDefault`, `needsApproval`, `includeArchived`', () => {
  const others = booleans.filter(({ name }) => !verbs.test(name) && !(name in exceptions))
  expect(others.map(({ path }) => path)).toEqual([])
})

it('every exception is a name of the schema', () => {
  expect(Object.keys(exceptions).filter((name) => !booleans.some((one) => one.name === name))).toEqual([])
})
