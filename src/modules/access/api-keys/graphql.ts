import { builder, publicOnly } from '../../../graphql/builder.ts'
import { managementScope } from '../../../graphql/context.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { defineRowNode } from '../../../graphql/node.ts'
import { managesAccess } from '../../history/graphql.ts'
import { ApiKeyAccessEnum, ApiKeyProfileEnum, ApiKeyWordsEnum } from './graphql-enums.ts'
import { createApiKeyInput, updateApiKeyInput } from './input.ts'
import { createApiKey, listApiKeys, revokeApiKey, updateApiKey } from './service.ts'

const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key of one program. Its secret is shown once, at creation.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the key, a UUID. It is not the secret.' }),
    programId: t.exposeID('programId', { description: 'The id of the program that the key belongs to.' }),
    program: t.relation('program', { description: 'The program that the key belongs to.' }),
    name: t.exposeString('name', { description: 'A name that says what the key is for.' }),
    access: t.expose('access', {
      type: ApiKeyAccessEnum,
      description: 'What the key may do. This never changes.',
    }),
    profile: t.expose('profile', {
      type: ApiKeyProfileEnum,
      description: 'Which fields the REST responses to the key have.',
    }),
    words: t.expose('words', {
      type: ApiKeyWordsEnum,
      description: 'How states are spelled in the REST responses to the key.',
    }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the secret, the same for all keys.' }),
    lastFour: t.exposeString('lastFour', {
      description: 'The last four characters of the secret, to identify the key.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used, up to a minute behind. Null if it was never used.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was revoked. Null if it is active.',
    }),
  }),
})

// As in `apiKeys`: what a key is for is not for other keys.
defineRowNode(ApiKeyType, managesAccess)

const CreateApiKeyPayload = builder
  .objectRef<Awaited<ReturnType<typeof createApiKey>>>('CreateApiKeyPayload')
  .implement({
    description: 'A new API key and its secret.',
    subGraphs: publicOnly,
    fields: (t) => ({
      apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The new API key.' }),
      secret: t.exposeString('secret', {
        description: 'The secret. Save it now: only its hash is stored, so it cannot be shown again.',
      }),
    }),
  })

builder.queryField('apiKeys', (t) =>
  t.prismaField({
    type: ['ApiKey'],
    forRole: 'owner',
    description:
      'The API keys of a program, newest first, including revoked ones. Requires an operator, or an owner of the program who is signed in.',
    args: { programId: t.arg.id({ required: true, description: 'The id of the program.' }) },
    resolve: (_query, _root, { programId }, ctx) => listApiKeys(managementScope(ctx), programId),
  }),
)

mutation('createApiKey', CreateApiKeyPayload, {
  forRole: 'owner',
  description: 'Creates an API key of a program. Requires an operator, or an owner of the program who is signed in.',
  ids: { programId: 'The id of the program that the key belongs to.' },
  input: createApiKeyInput,
  resolve: (ctx, { programId, ...input }) => createApiKey(managementScope(ctx), programId, input),
})

resourceMutation('updateApiKey', 'apiKey', ApiKeyType, {
  forRole: 'owner',
  description:
    'Changes the name or the response format of an API key, with effect from its next request. Requires an operator, or an owner of the program who is signed in.',
  ids: { id: 'The id of the API key.' },
  input: updateApiKeyInput,
  resolve: (ctx, { id, ...input }) => updateApiKey(managementScope(ctx), id, input),
})

resourceMutation('revokeApiKey', 'apiKey', ApiKeyType, {
  forRole: 'owner',
  description: 'Revokes an API key immediately. Requires an operator, or an owner of the program who is signed in.',
  ids: { id: 'The id of the API key.' },
  resolve: (ctx, { id }) => revokeApiKey(managementScope(ctx), id),
})
