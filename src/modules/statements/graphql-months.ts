import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { rotateStatementKeyInput } from './input.ts'
import { rotateStatementKey } from './rotate-key.ts'

const StatementMonthType = builder.prismaObject('StatementMonth', {
  description: 'A month that was closed, or is being closed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, such as `2026-10`.' }),
    number: t.exposeInt('number', { description: 'Counts the closed months of the program, from 1.' }),
    fromAt: t.expose('fromAt', { type: 'DateTime', description: 'When it begins.' }),
    untilAt: t.expose('untilAt', { type: 'DateTime', description: 'When it ends, exclusive.' }),
    timeZone: t.exposeString('timeZone', { description: "The program's time zone when it was closed." }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was signed. Null while its statements are being written.',
    }),
    statementCount: t.exposeInt('count', { nullable: true, description: 'How many statements it has. Null before.' }),
    root: t.exposeString('root', {
      nullable: true,
      description: 'The root of the tree of the hashes of its statements, in hexadecimal digits. Null before.',
    }),
    keyId: t.exposeString('keyId', {
      nullable: true,
      description: 'The id of the key that signed it: see `/.well-known/jwks.json`. Null before.',
    }),
    seal: t.exposeString('seal', {
      nullable: true,
      description: 'What was signed, with its signature: a JWS in compact form. Null before.',
    }),
  }),
})

builder.queryField('statementMonths', (t) =>
  t.prismaField({
    type: [StatementMonthType],
    subGraphs: publicOnly,
    description: 'The months that are closed, or are being closed, newest first.',
    resolve: (query, _root, _args, ctx) => {
      const { db, program } = programScope(ctx)
      return db.statementMonth.findMany({ ...query, where: { programId: program.id }, orderBy: { number: 'desc' } })
    },
  }),
)

const RotateStatementKeyPayload = builder.objectRef<{ keyId: string }>('RotateStatementKeyPayload').implement({
  description: 'The result of `rotateStatementKey`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    keyId: t.exposeString('keyId', { description: 'The id of the key that signs from now on.' }),
  }),
})

mutation('rotateStatementKey', RotateStatementKeyPayload, {
  description:
    'Makes a new key for signing months. Months that are closed stay signed by their key, which stays published.',
  forRole: 'owner',
  input: rotateStatementKeyInput,
  resolve: async (ctx, input) => ({
    keyId: await rotateStatementKey({ ...programScope(ctx), webhooks: ctx.webhooks }, input),
  }),
})
