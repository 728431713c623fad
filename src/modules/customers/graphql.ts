import { builder, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { findCustomer } from './find.ts'
import { customerListing } from './listing.ts'
import { shownEmail, shownName } from './mask.ts'

export const CustomerType = builder.prismaObject('Customer', {
  description: 'A person who became a lead or bought, identified by e-mail.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the customer, a UUID.' }),
    email: t.field({
      type: 'EmailAddress',
      forAffiliate: true,
      description: 'The e-mail in the spelling that was reported first. Masked for affiliates.',
      resolve: ({ email }, _args, ctx) => shownEmail(ctx, email),
    }),
    name: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'The name that was reported first. Masked for affiliates. Null if none was reported.',
      resolve: ({ name }, _args, ctx) => shownName(ctx, name),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the customer was first reported.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the details were last changed.' }),
  }),
})

export const customerConnection = connectionOf(customerListing, CustomerType)

rootConnection('customers', customerConnection, "The program's customers, including leads who have not bought yet.")

lookUp(
  'customer',
  CustomerType,
  { description: 'Finds a customer by id.', id: 'The id of the customer.' },
  findCustomer,
)
