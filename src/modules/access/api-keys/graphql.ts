import { builder, publicOnly } from '../../../graphql/builder.ts'
import { operatorScope } from '../../../graphql/context.ts'
import { mutation, resourceMutation } from '../../../graphql/mutation.ts'
import { ApiKeyAccessEnum, ApiKeyProfileEnum, ApiKeyWordsEnum } from './graphql-enums.ts'
import { createApiKeyInput, updateApiKeyInput } from './input.ts'
import { createApiKey, listApiKeys, revokeApiKey, updateApiKey } from './service.ts'

const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'A key to one program. Its secret is shown once, when it is made.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id'),
    programId: t.exposeID('programId'),
    name: t.exposeString('name'),
    access: t.expose('access', {
      type: ApiKeyAccessEnum,
      description: 'What the key may do. It stays as it was made.',
    }),
    profile: t.expose('profile', { type: ApiKeyProfileEnum, description: 'Which fields its REST answers have.' }),
    words: t.expose('words', {
      type: ApiKeyWordsEnum,
      description: 'Whose words the states in its REST answers are in.',
    }),
    prefix: t.exposeString('prefix', { description: 'What every secret starts with.' }),
    lastFour: t.exposeString('lastFour', { description: 'How the secret ends, to tell keys apart.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'Up to a minute behind.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since then the key is refused.',
    }),
  }),
})

const CreateApiKeyPayload = builder
  .objectRef<Awaited<ReturnType<typeof createApiKey>>>('CreateApiKeyPayload')
  .implement({
    description: 'A new key with its secret, which is not shown again.',
    subGraphs: publicOnly,
    fields: (t) => ({
      apiKey: t.expose('apiKey', { type: ApiKeyType }),
      secret: t.exposeString('secret', { description: 'Keep it now; only its hash is stored.' }),
    }),
  })

builder.queryField('apiKeys', (t) =>
  t.prismaField({
    type: ['ApiKey'],
    description: 'For the operator: the keys of a program, newest first, revoked ones too.',
    args: { programId: t.arg.id({ required: true }) },
    resolve: (_query, _root, { programId }, ctx) => listApiKeys(operatorScope(ctx), programId),
  }),
)

mutation('createApiKey', CreateApiKeyPayload, {
  description: 'For the operator: makes a key to a program.',
  ids: { programId: 'The program it opens.' },
  input: createApiKeyInput,
  resolve: (ctx, { programId, ...input }) => createApiKey(operatorScope(ctx), programId, input),
})

resourceMutation('updateApiKey', 'apiKey', ApiKeyType, {
  description: 'For the operator: changes how a key is called and answered, from its next request on.',
  ids: { id: 'Of the key.' },
  input: updateApiKeyInput,
  resolve: (ctx, { id, ...input }) => updateApiKey(operatorScope(ctx), id, input),
})

resourceMutation('revokeApiKey', 'apiKey', ApiKeyType, {
  description: 'For the operator: from now on the key is refused.',
  ids: { id: 'Of the key.' },
  resolve: (ctx, { id }) => revokeApiKey(operatorScope(ctx), id),
})
