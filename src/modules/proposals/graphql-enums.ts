import { defineEnum } from '../../graphql/enums.ts'
import type { proposalKinds, proposalStates } from './input.ts'
import { kinds } from './kinds/all.ts'

type KindWord = (typeof proposalKinds)[number]

const meaningOf = (kind: KindWord) => {
  const { meaning, mutation, arguments: schema } = kinds[kind]
  return `${meaning} As \`${mutation}\`. Arguments: ${Object.keys(schema.shape)
    .map((name) => `\`${name}\``)
    .join(', ')}.`
}

export const ProposalKindEnum = defineEnum(
  'ProposalKind',
  'What can be proposed, with the arguments of each.',
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, meaningOf(kind as KindWord)])) as Record<KindWord, string>,
)

export const ProposalStateEnum = defineEnum('ProposalState', 'The states of proposals.', {
  open: 'It waits for a person.',
  confirmed: 'A person confirmed it: its change was made.',
  rejected: 'A person rejected it.',
  expired: 'Nobody decided it in time.',
} satisfies Record<(typeof proposalStates)[number], string>)
