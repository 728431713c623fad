import { z } from 'zod'
import { wireOf } from '../../../kernel/input/wire.ts'
import { kinds } from '../../../modules/proposals/kinds/all.ts'
import { defineTool, row } from '../tool.ts'

const mutation = `mutation Propose($input: ProposeInput!) {
  propose(input: $input) { proposal { id kind state effect { text amountCents currency } reason needsSecondPerson expiresAt } }
}`

/** What each kind does, and its arguments. */
const meaning = Object.entries(kinds)
  .map(([kind, { meaning: what, arguments: schema }]) => {
    const args = Object.entries(schema.shape).map(([name, field]) => {
      const { type, required } = wireOf(field as z.ZodType)
      return `${name}${required ? '' : '?'}: ${type}`
    })
    return `${kind.toUpperCase()} {${args.join(', ')}}: ${what}`
  })
  .join('\n')

export const propose = defineTool({
  name: 'propose',
  title: 'Propose a change',
  description: `Drafts a change that a person confirms, edits or rejects in the dashboard, with its effect in money. Nothing is done before. Kinds and their arguments:\n${meaning}`,
  audience: 'program',
  writes: true,
  input: z.object({
    kind: z
      .enum(Object.keys(kinds).map((kind) => kind.toUpperCase()) as [string, ...string[]])
      .describe('What is proposed.'),
    arguments: z.record(z.string(), z.unknown()).describe('The arguments of the kind.'),
    reason: z.string().min(1).max(1_000).describe('Why. The person who decides reads it.'),
  }),
  output: {
    proposal: row('The draft: `id`, `state`, `effect` with `text`, `amountCents` and `currency`, `expiresAt`.'),
    url: z.string().describe('Where a person decides it.'),
  },
  async run(call, input) {
    const { propose: answer } = await call.ask(mutation, { input: { ...input, arguments: withDefaults(input) } })
    return { proposal: answer.proposal, url: call.page('proposals') }
  },
})

/** Rules that `plan` takes are taken as they are: what it fills in is filled in here too. */
function withDefaults({ kind, arguments: args }: { kind: string; arguments: Record<string, unknown> }) {
  if (kind !== 'RULES' || !Array.isArray(args.rules)) return args
  return { ...args, rules: args.rules.map((rule) => ({ appliesTo: 'ALL_SALES', ...rule })) }
}
