import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { findCustomer } from './find.ts'
import { customerListing } from './listing.ts'
import { shownEmail, shownName } from './mask.ts'

const CustomerType = builder.prismaObject('Customer', {
  description: 'A person who became a lead or bought, known by e-mail.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    email: t.field({
      type: 'EmailAddress',
      forAffiliate: true,
      description: 'As it was told first; masked for an affiliate.',
      resolve: ({ email }, _args, ctx) => shownEmail(ctx, email),
    }),
    name: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'As it was told first; masked for an affiliate.',
      resolve: ({ name }, _args, ctx) => shownName(ctx, name),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

export const customerConnection = connectionOf(customerListing, CustomerType)

rootConnection('customers', customerConnection, "The program's customers, leads among them.")

builder.queryField('customer', (t) =>
  t.prismaField({
    type: 'Customer',
    description: 'A customer by id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findCustomer(programScope(ctx), id, query),
  }),
)
