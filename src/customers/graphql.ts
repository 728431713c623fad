import { builder, publicOnly } from '../graphql/builder.ts'
import { connectionOf, rootConnection } from '../graphql/connection.ts'
import { programScope } from '../graphql/context.ts'
import { findCustomer } from './find.ts'
import { customerListing } from './listing.ts'

const CustomerType = builder.prismaObject('Customer', {
  description: 'A person who became a lead or bought, known by e-mail.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email', { description: 'As it was told first.' }),
    name: t.exposeString('name', { nullable: true, description: 'As it was told first.' }),
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
