import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { mutation } from '../../graphql/mutation.ts'
import { InvoiceWordKindEnum } from './graphql-enums.ts'
import { invoiceWordInput, updateInvoiceSettingsInput } from './input.ts'
import { readInvoiceSettings, type Settings, settingsOf, updateInvoiceSettings } from './settings.ts'
import type { ChosenWord } from './vat/words.ts'

inputOf('InvoiceWordInput', invoiceWordInput)

const InvoiceWordType = builder.objectRef<ChosenWord>('InvoiceWord').implement({
  description: 'A sentence of invoices that replaces the default one.',
  subGraphs: publicOnly,
  fields: (t) => ({
    country: t.exposeString('country', { description: 'The country of the affiliates: two letters of ISO 3166.' }),
    kind: t.expose('kind', { type: InvoiceWordKindEnum, description: 'Which sentence.' }),
    text: t.exposeString('text', { description: 'The sentence.' }),
  }),
})

const InvoiceSettingsType = builder.objectRef<Settings>('InvoiceSettings').implement({
  description: 'How the program writes its invoices. The address of its company is in `taxSettings`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    numberPrefix: t.exposeString('numberPrefix', { description: 'What numbers of invoices begin with.' }),
    isVatIncluded: t.exposeBoolean('isVatIncluded', {
      description:
        'Whether commissions include value added tax. Otherwise it is added to them where it is due, and paid as a correction.',
    }),
    words: t.field({
      type: [InvoiceWordType],
      description: 'The sentences that replace the default ones.',
      resolve: ({ words }) => [...words],
    }),
  }),
})

builder.prismaObjectField('Program', 'invoiceSettings', (t) =>
  t.field({
    type: InvoiceSettingsType,
    subGraphs: publicOnly,
    select: { invoiceSettings: true },
    description: 'How the program writes its invoices.',
    resolve: ({ invoiceSettings }) => settingsOf(invoiceSettings),
  }),
)

const UpdateInvoiceSettingsPayload = builder.objectRef<Settings>('UpdateInvoiceSettingsPayload').implement({
  description: 'The result of `updateInvoiceSettings`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invoiceSettings: t.field({
      type: InvoiceSettingsType,
      description: 'The settings after the operation.',
      resolve: (settings) => settings,
    }),
  }),
})

mutation('updateInvoiceSettings', UpdateInvoiceSettingsPayload, {
  description: 'Changes how the program writes its invoices. Invoices that are issued stay as they are.',
  forRole: 'finance',
  input: updateInvoiceSettingsInput,
  resolve: async (ctx, input) => {
    const scope = programScope(ctx)
    await updateInvoiceSettings(scope, input)
    return readInvoiceSettings(scope.db, scope.program.id)
  },
})
