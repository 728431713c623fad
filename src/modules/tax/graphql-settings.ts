import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { mutation } from '../../graphql/mutation.ts'
import { updateTaxSettingsInput } from './input/settings.ts'
import { readTaxSettings, type Settings, settingsOf, updateTaxSettings } from './settings.ts'

const forAffiliate = true

const TaxSettingsType = builder.objectRef<Settings>('TaxSettings').implement({
  description: 'What the program needs to know of the taxes of its affiliates, and who pays them.',
  subGraphs: publicOnly,
  fields: (t) => ({
    needsProfileForPayouts: t.exposeBoolean('needsProfileForPayouts', {
      forAffiliate,
      description: 'Whether payouts wait until the affiliate has signed a tax profile.',
    }),
    payerCountry: t.exposeString('payerCountry', {
      forAffiliate,
      nullable: true,
      description: 'The country of the company that pays: two letters of ISO 3166. Null if nobody has said it.',
    }),
    payerName: t.exposeString('payerName', {
      forAffiliate,
      nullable: true,
      description: 'The full name of the company that pays.',
    }),
    payerStreet: t.exposeString('payerStreet', { nullable: true, description: 'Its street and number.' }),
    payerPostalCode: t.exposeString('payerPostalCode', { nullable: true, description: 'Its postal code.' }),
    payerCity: t.exposeString('payerCity', { nullable: true, description: 'Its town.' }),
    payerRegion: t.exposeString('payerRegion', { nullable: true, description: 'Its state or province.' }),
    payerVatId: t.exposeString('payerVatId', { nullable: true, description: 'Its VAT id.' }),
    payerTaxId: t.exposeString('payerTaxId', { nullable: true, description: 'Its tax number, as it is on papers.' }),
    withholdingBasisPoints: t.exposeInt('withholdingBasisPoints', {
      nullable: true,
      description:
        'How much of each payout is withheld as tax, in hundredths of a percent: 1500 is 15 %. Affiliates can have a rate of their own. Null: nothing is withheld.',
    }),
  }),
})

builder.prismaObjectField('Program', 'taxSettings', (t) =>
  t.field({
    forAffiliate,
    type: TaxSettingsType,
    subGraphs: publicOnly,
    select: { taxSettings: true },
    description: 'What the program needs to know of the taxes of its affiliates, and who pays them.',
    resolve: ({ id, taxSettings }) => settingsOf(id, taxSettings),
  }),
)

const UpdateTaxSettingsPayload = builder.objectRef<Settings>('UpdateTaxSettingsPayload').implement({
  description: 'The result of `updateTaxSettings`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    taxSettings: t.field({
      type: TaxSettingsType,
      description: 'The settings after the operation.',
      resolve: (settings) => settings,
    }),
  }),
})

mutation('updateTaxSettings', UpdateTaxSettingsPayload, {
  description: 'Changes what the program needs to know of the taxes of its affiliates, and who pays them.',
  forRole: 'finance',
  input: updateTaxSettingsInput,
  resolve: async (ctx, input) => {
    const scope = programScope(ctx)
    await updateTaxSettings(scope, input)
    return readTaxSettings(scope.db, scope.program.id)
  },
})
