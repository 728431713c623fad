import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { type EditableText, listMailTexts, resetMailText, updateMailKind, updateMailText } from './edit-texts.ts'
import { findMail } from './find.ts'
import { MailType } from './graphql.ts'
import { MailKindEnum } from './graphql-enums.ts'
import {
  mailTextsInput,
  previewMailInput,
  resetMailTextInput,
  updateMailKindInput,
  updateMailTextInput,
} from './input.ts'
import { type PreviewedMail, previewMail, sendTestMail } from './preview.ts'

const MailTextType = builder.objectRef<EditableText>('MailText').implement({
  description: 'The text of a kind of mail in a language.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.field({ type: MailKindEnum, description: 'What the mail is about.', resolve: ({ kind }) => kind }),
    language: t.exposeString('language', { description: 'The language: en, de, fr, es, pt or ja.' }),
    subject: t.exposeString('subject', { description: 'The subject, with variables.' }),
    text: t.exposeString('text', { description: 'The text, with variables. Empty lines separate paragraphs.' }),
    button: t.exposeString('button', { description: 'What the button of the link says. Empty without a button.' }),
    variables: t.exposeStringList('variables', {
      description: 'The names of the variables: `program` is written as `{{program}}`.',
    }),
    isEdited: t.exposeBoolean('isEdited', { description: 'Whether the program has changed the text.' }),
    isOn: t.exposeBoolean('isOn', { description: 'Whether the program sends mails of the kind, in all languages.' }),
    canBeOff: t.exposeBoolean('canBeOff', { description: 'Whether the kind can be turned off.' }),
  }),
})

export const MailPreviewType = builder.objectRef<PreviewedMail>('MailPreview').implement({
  description: 'A mail as it would be sent. Its links sign nobody in.',
  subGraphs: publicOnly,
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject.' }),
    text: t.exposeString('text', { description: 'The plain text.' }),
    html: t.exposeString('html', { description: 'The HTML.' }),
  }),
})

const previewScope = (ctx: GraphQLContext) => ({ ...programScope(ctx), publicUrl: ctx.affiliateUrl })

builder.queryField('mailTexts', (t) =>
  t.field({
    type: [MailTextType],
    description: 'The texts of all mails, by kind and language.',
    args: argsOf(mailTextsInput),
    resolve: (_root, args, ctx) => listMailTexts(programScope(ctx), args),
  }),
)

builder.queryField('previewMail', (t) =>
  t.field({
    type: MailPreviewType,
    description: 'Shows a mail with the data of an affiliate. Texts that are given need not be saved.',
    args: argsOf(previewMailInput),
    resolve: (_root, args, ctx) => previewMail(previewScope(ctx), args),
  }),
)

resourceMutation('updateMailText', 'mailText', MailTextType, {
  description:
    'Changes the text of a kind of mail in a language, as far as it is given. An unknown variable is an error that names the known ones.',
  input: updateMailTextInput,
  resolve: (ctx, input) => updateMailText(programScope(ctx), input),
})

resourceMutation('resetMailText', 'mailText', MailTextType, {
  description: 'Goes back to the text that every program has. Idempotent.',
  input: resetMailTextInput,
  resolve: (ctx, input) => resetMailText(programScope(ctx), input),
})

resourceMutation('updateMailKind', 'mailTexts', [MailTextType], {
  description: 'Turns a kind of mail on or off. Idempotent. Mails that people need to apply or sign in stay on.',
  input: updateMailKindInput,
  resolve: (ctx, input) => updateMailKind(programScope(ctx), input),
})

resourceMutation('sendTestMail', 'mail', MailType, {
  description:
    'Sends a mail with the data of an affiliate to the signed-in person, of the kind `TEST`. Texts that are given need not be saved.',
  input: previewMailInput,
  resolve: async (ctx, input, query) => {
    const scope = previewScope(ctx)
    return findMail(scope, await sendTestMail(scope, input), query())
  },
})
