import type { InstallationChange } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope, programScope } from '../../graphql/context.ts'
import { lazily } from '../../graphql/slice.ts'
import { pageArgs, valueConnection } from '../../graphql/value-connection.ts'
import { ownCase } from '../../kernel/ids.ts'
import { HistoryActorType, HistoryEntryConnection, managesAccess } from './graphql.ts'
import { ActorKindEnum, HistorySubjectEnum, InstallationActionEnum } from './graphql-enums.ts'
import { countInstallationHistory, type InstallationAction, listInstallationHistory } from './installation.ts'
import { countProgramHistory, type HistoryFilter, listProgramHistory, listRecentActors } from './program-history.ts'
import { readHistoryWindow } from './service.ts'

builder.queryField('programHistory', (t) =>
  t.field({
    type: HistoryEntryConnection,
    description:
      'Everything that was done in the program, newest first. For commissions, each entry shows what was added to the amount (`deltaCents`, `currency`). Entries about people and API keys are for owners and operators, and are left out for others. Reported visits, leads and sales are in `events`, with the commissions they earned here.',
    args: {
      actorKind: t.arg({ type: ActorKindEnum, description: 'Only what this kind of actor did.' }),
      personId: t.arg.id({ description: 'Only what this person did.' }),
      apiKeyId: t.arg.id({ description: 'Only what was done with this API key.' }),
      from: t.arg({ type: 'DateTime', description: 'Only what was done at this time or later.' }),
      to: t.arg({ type: 'DateTime', description: 'Only what was done before this time.' }),
      subject: t.arg({ type: HistorySubjectEnum, description: 'Only what was done to this kind of resource.' }),
      ...pageArgs(),
    },
    resolve: (_root, { actorKind, personId, apiKeyId, from, to, subject, ...args }, ctx) => {
      const scope = programScope(ctx)
      const window = readHistoryWindow(args)
      const actor = { actorKind, personId: personId && ownCase(personId), apiKeyId: apiKeyId && ownCase(apiKeyId) }
      const filter: HistoryFilter = { ...actor, subject, from, until: to, withAccess: managesAccess(ctx) }
      return {
        window,
        slice: lazily(() => listProgramHistory(scope, filter, window)),
        totalCount: () => countProgramHistory(scope, filter),
      }
    },
  }),
)

builder.queryField('historyActors', (t) =>
  t.field({
    type: [HistoryActorType],
    description:
      'The people and API keys that acted in the program, for a filter of `programHistory`: from the last 1,000 entries, and the last 1,000 entries made by people.',
    resolve: (_root, _args, ctx) => listRecentActors(programScope(ctx), managesAccess(ctx)),
  }),
)

const InstallationHistoryEntryType = builder.objectRef<InstallationChange>('InstallationHistoryEntry').implement({
  description: 'One action in the installation that belongs to no program. Entries are append-only.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the entry.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the action happened.' }),
    action: t.field({
      type: InstallationActionEnum,
      description: 'What was done.',
      resolve: ({ action }) => action as InstallationAction,
    }),
    subjectId: t.exposeID('subjectId', {
      nullable: true,
      description: 'The id of the program or the person. Null for a set-up link.',
    }),
    subjectName: t.exposeString('subjectName', {
      nullable: true,
      description: 'The name of the program or the e-mail address of the person, as it was then.',
    }),
    actor: t.field({
      type: HistoryActorType,
      description: 'The actor of the action.',
      // No API key and no affiliate acts outside of a program.
      resolve: ({ actorKind, actorId }) => ({ programId: '', kind: actorKind, actorId }),
    }),
    requestId: t.exposeString('requestId', {
      description: 'The id of the request that performed the action, as in its response header and in the log.',
    }),
  }),
})

builder.queryField('installationHistory', (t) =>
  t.field({
    type: valueConnection(InstallationHistoryEntryType),
    forRole: 'operator',
    description:
      'What was done in the installation outside of programs, newest first: programs, operators, and the accounts of people. Requires an operator.',
    args: pageArgs(),
    resolve: (_root, args, ctx) => {
      const scope = operatorScope(ctx)
      const window = readHistoryWindow(args)
      return {
        window,
        slice: lazily(() => listInstallationHistory(scope, window)),
        totalCount: () => countInstallationHistory(scope),
      }
    },
  }),
)
