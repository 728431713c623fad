import { builder, publicOnly } from '../../graphql/builder.ts'
import { PayoutMethodEnum } from '../programs/graphql-enums.ts'
import { RecipientTypeEnum } from './graphql-enums.ts'

builder.prismaObjectFields('Affiliate', (t) => ({
  preferredPayoutMethod: t.expose('preferredPayoutMethod', {
    forAffiliate: true,
    type: PayoutMethodEnum,
    nullable: true,
    subGraphs: publicOnly,
    description:
      "How the affiliate wants to be paid. Null if not set: the only wallet is used, or the program's default of several.",
  }),
  recipientType: t.expose('recipientType', {
    forAffiliate: true,
    type: RecipientTypeEnum,
    nullable: true,
    subGraphs: publicOnly,
    description: 'Whether the affiliate is a person or a business. Null counts as a person.',
  }),
  iban: t.exposeString('iban', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The bank account that SEPA transfers pay, as an IBAN without blanks. Null if not set.',
  }),
  bic: t.exposeString('bic', {
    forAffiliate: true,
    nullable: true,
    subGraphs: publicOnly,
    description: "The BIC of the affiliate's bank. Null if not set.",
  }),
}))
