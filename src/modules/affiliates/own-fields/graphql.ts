import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { defineEnum, type Words } from '../../../graphql/enums.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { createAffiliateField, deleteAffiliateField, listAffiliateFields, updateAffiliateField } from './definitions.ts'
import {
  type affiliateFieldTypes,
  createAffiliateFieldInput,
  deleteAffiliateFieldInput,
  ownFieldInput,
  updateAffiliateFieldInput,
} from './input.ts'
import { ownFieldsOf } from './values.ts'

inputOf('OwnFieldInput', ownFieldInput)

const AffiliateFieldTypeEnum = defineEnum('AffiliateFieldType', "What one of the program's own fields holds.", {
  text: 'Any text.',
  number: 'A number of at most 15 digits, with or without decimals.',
  date: 'A day, such as `2026-01-31`.',
  choice: 'One of `choices`.',
} satisfies Words<typeof affiliateFieldTypes>)

const AffiliateFieldType = builder.prismaObject('AffiliateField', {
  description: 'A field that the program has defined for its affiliates. `Affiliate.ownFields` has the values.',
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How requests, filters and files call it. Unique in the program.' }),
    label: t.exposeString('label', { description: 'What people read.' }),
    type: t.expose('type', { type: AffiliateFieldTypeEnum, description: 'What it holds.' }),
    choices: t.stringList({
      description: 'The values of a `CHOICE`, in order. Empty for other types.',
      resolve: ({ choices }) => choices as string[],
    }),
  }),
})

const OwnFieldType = builder.objectRef<{ name: string; value: string }>('OwnField').implement({
  description: "An affiliate's value of one of the program's own fields.",
  fields: (t) => ({
    name: t.exposeString('name', { forAffiliate: true, description: 'The name of the field.' }),
    value: t.exposeString('value', {
      forAffiliate: true,
      description: 'The value as text: a date as `2026-01-31`, a number as `12.5`.',
    }),
  }),
})

builder.prismaObjectField('Affiliate', 'ownFields', (t) =>
  t.field({
    forAffiliate: true,
    type: [OwnFieldType],
    subGraphs: publicOnly,
    select: { ownFields: true },
    description: "The affiliate's values of the program's own fields, by name. Fields without a value are left out.",
    resolve: ({ ownFields }) => ownFieldsOf(ownFields),
  }),
)

builder.queryField('affiliateFields', (t) =>
  t.prismaField({
    type: [AffiliateFieldType],
    description: 'The fields that the program has defined for its affiliates, in the order of their creation.',
    resolve: (_query, _root, _args, ctx) => {
      const scope = programScope(ctx)
      return listAffiliateFields(scope.db, scope)
    },
  }),
)

resourceMutation('createAffiliateField', 'affiliateField', AffiliateFieldType, {
  description: 'Defines a field of affiliates. A program can have 50.',
  input: createAffiliateFieldInput,
  resolve: (ctx, input) => createAffiliateField(programScope(ctx), input),
})

resourceMutation('updateAffiliateField', 'affiliateField', AffiliateFieldType, {
  description: "Changes the label or the choices of one of the program's own fields.",
  input: updateAffiliateFieldInput,
  resolve: (ctx, input) => updateAffiliateField(programScope(ctx), input),
})

const DeletePayload = builder.objectRef<{ deletedName: string }>('DeleteAffiliateFieldPayload').implement({
  description: 'The result of `deleteAffiliateField`.',
  subGraphs: publicOnly,
  fields: (t) => ({ deletedName: t.exposeString('deletedName', { description: 'The name of the deleted field.' }) }),
})

mutation('deleteAffiliateField', DeletePayload, {
  description: "Deletes one of the program's own fields, and its values of all affiliates. This cannot be undone.",
  input: deleteAffiliateFieldInput,
  resolve: async (ctx, input) => ({ deletedName: await deleteAffiliateField(programScope(ctx), input) }),
})
