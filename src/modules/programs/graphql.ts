import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope, ownerScope, programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { clockOf } from './clock.ts'
import { advanceClockInput, createProgramInput, rotatePublishableKeyInput, updateProgramInput } from './input.ts'
import { rotatePublishableKey } from './rotate.ts'
import { advanceClock, createProgram, listPrograms, updateProgram } from './service.ts'

export const ProgramType = builder.prismaObject('Program', {
  description: 'An affiliate program: the scope of an API key.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { forAffiliate: true }),
    url: t.expose('url', { forAffiliate: true, type: 'URL' }),
    currency: t.expose('currency', {
      forAffiliate: true,
      type: 'Currency',
      description: 'ISO 4217, lower case; of sales and campaigns that name none.',
    }),
    slug: t.exposeString('slug', { description: 'Names the program in links: /r/{slug}/{token}.' }),
    publishableKey: t.exposeString('publishableKey', {
      description: 'Names the program to the tracking script and its endpoints. No secret: it stands in public pages.',
    }),
    previousPublishableKeyEndsAt: t.expose('previousPublishableKeyEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then the publishable key before the last rotation is taken too.',
    }),
    sandbox: t.exposeBoolean('sandbox', { description: 'It has a clock of its own, which can be advanced.' }),
    clock: t.field({
      type: 'DateTime',
      description: 'Its present moment: the true time, and in a sandbox the days added that its clock was advanced by.',
      resolve: (program, _args, ctx) => clockOf(program, ctx.trueNow)(),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryField('program', (t) =>
  t.prismaField({
    type: 'Program',
    description: 'The program of the key, or the one that the operator named in the X-Program-Id header.',
    resolve: (_query, _root, _args, ctx) => programScope(ctx).program,
  }),
)

builder.queryField('programs', (t) =>
  t.prismaField({
    type: ['Program'],
    description: 'For the operator: all programs, newest first.',
    resolve: (_query, _root, _args, ctx) => listPrograms(operatorScope(ctx)),
  }),
)

resourceMutation('createProgram', 'program', ProgramType, {
  description: 'For the operator: makes a program and its default campaign.',
  input: createProgramInput,
  resolve: (ctx, input) => createProgram(operatorScope(ctx), input),
})

resourceMutation('updateProgram', 'program', ProgramType, {
  description: 'For the operator: changes what is given. Campaigns, links and sales that exist keep what they have.',
  ids: { id: 'Of the program.' },
  input: updateProgramInput,
  resolve: (ctx, { id, ...input }) => updateProgram(operatorScope(ctx), id, input),
})

resourceMutation('rotatePublishableKey', 'program', ProgramType, {
  description:
    'Gives the program a new publishable key. The one before it works on for some hours; any older one ends now.',
  input: rotatePublishableKeyInput,
  resolve: (ctx, { programId, ...input }: { programId?: string }) => {
    const id = programId ?? programScope(ctx).program.id
    return rotatePublishableKey(ownerScope(ctx, id), id, input)
  },
})

resourceMutation('advanceClock', 'program', ProgramType, {
  description:
    'Lets days pass in a sandbox, by the operator or a key of the program: commissions become due, referrals expire, periods end. From the next request on; it never goes back.',
  ids: { programId: 'Of the sandbox.' },
  input: advanceClockInput,
  resolve: (ctx, { programId, ...input }) => advanceClock(ownerScope(ctx, programId), programId, input),
})
