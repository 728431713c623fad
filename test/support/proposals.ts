import type { GraphQLClient } from './app.ts'

export const proposalFields =
  'id kind state arguments effect { text amountCents currency } reason proposedBy refusal decidedBy { kind person { name } } decisionReason expiresAt'

/** The mutations of proposals, each with the proposal that it answers. */
export const proposalsOf = (graphql: GraphQLClient) => {
  const call = async (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const answer = await graphql(
      `mutation ($input: ${type}!) { ${name}(input: $input) { proposal { ${proposalFields} } } }`,
      { input },
    )
    return answer[name].proposal
  }
  return {
    propose: (kind: string, args: object, reason = 'The customer was refunded.') =>
      call('propose', { kind, arguments: args, reason }),
    update: (id: string, more: object) => call('updateProposal', { id, ...more }),
    confirm: (id: string) => call('confirmProposal', { id }),
    reject: (id: string, reason?: string) => call('rejectProposal', { id, reason }),
    list: async (where: object = {}) =>
      (
        await graphql(
          `query ($where: ProposalWhere) { proposals(first: 10, where: $where) { nodes { ${proposalFields} } } }`,
          { where },
        )
      ).proposals.nodes,
  }
}
