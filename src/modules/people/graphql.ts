import { Prisma } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, managementScope, operatorScope, programScope } from '../../graphql/context.ts'
import { defineEnum } from '../../graphql/enums.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { defineNode, defineRowNode } from '../../graphql/node.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { HistoryActorType, managesAccess } from '../history/graphql.ts'
import { createEmailChangeLink } from './email-change.ts'
import {
  createEmailChangeLinkInput,
  createPasswordResetLinkInput,
  createSetUpLinkInput,
  inviteMemberInput,
  type memberRoles,
  removeMemberInput,
  updateMemberInput,
} from './input.ts'
import { inviteMember, listInvitations, revokeInvitation } from './invitations.ts'
import {
  findMember,
  listMembers,
  listOwnPrograms,
  type MemberWithPerson,
  removeMember,
  updateMember,
} from './members.ts'
import { createPasswordResetLink } from './password-reset.ts'
import { createSetUpLink } from './set-up.ts'

const MemberRoleEnum = defineEnum('MemberRole', 'What a person may do in a program.', {
  owner: 'Everything in the program, and who has access to it: people and API keys.',
  manager: 'Everything in the program but what only owners change, such as people, API keys and payout services.',
  finance:
    'Reads what an analyst reads, and tax profiles. Makes and sends payout runs, marks payouts as paid, closes months, makes invoices, and changes tax settings and exchange rates.',
  analyst: 'Reads everything in the program but people and tax profiles, and changes nothing.',
} satisfies Record<(typeof memberRoles)[number], string>)

const PersonType = builder.prismaObject('Person', {
  description: 'A person with an account for the dashboard.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the person.' }),
    name: t.exposeString('name', { description: 'The name of the person.' }),
    email: t.expose('email', {
      type: 'EmailAddress',
      description: 'The e-mail address with which the person signs in.',
    }),
    isOperator: t.exposeBoolean('isOperator', {
      description: 'Whether the person is an operator of the installation: all programs, with all rights.',
    }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether signing in needs a one-time code as well.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was made.' }),
  }),
})

defineNode(PersonType, {
  has: ({ program, actor }, id) => Prisma.sql`
    from people where id = ${id}::uuid and (id::text = ${actor.kind === 'person' ? actor.id : null}
      or exists (select 1 from members where program_id = ${program.id}::uuid and person_id = people.id))`,
  find: async (ctx, id, query) => {
    const isSelf = ctx.actor.kind === 'person' && ctx.actor.id === id
    return isSelf || managesAccess(ctx) ? ctx.db.person.findUnique({ ...query(), where: { id } }) : null
  },
})

type OwnProgram = Awaited<ReturnType<typeof listOwnPrograms>>[number]

const OwnProgramType = builder.objectRef<OwnProgram>('OwnProgram').implement({
  description: 'A program that the person can open.',
  subGraphs: publicOnly,
  fields: (t) => ({
    program: t.prismaField({
      type: 'Program',
      description: 'The program.',
      resolve: (_query, { program }) => program,
    }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'The role of the person in it.' }),
  }),
})

type Viewer = Extract<GraphQLContext['actor'], { kind: 'person' }>

const ViewerType = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The person who is signed in.',
  subGraphs: publicOnly,
  fields: (t) => ({
    person: t.prismaField({
      type: 'Person',
      description: 'The person.',
      resolve: (query, { id }, _args, ctx) => ctx.db.person.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    role: t.expose('role', {
      type: MemberRoleEnum,
      nullable: true,
      description: 'The role in the program that the `X-Program-Id` header names. Null without the header.',
    }),
    programs: t.field({
      type: [OwnProgramType],
      description: 'The programs that the person can open, by name. For an operator these are all programs.',
      resolve: (viewer, _args, ctx) => listOwnPrograms(ctx, viewer),
    }),
    newerVersion: t.string({
      nullable: true,
      description:
        'The newest version of the service, for operators. Null if it runs, or if `UPGRADE_CHECK_URL` is not set.',
      resolve: ({ isOperator }, _args, ctx) => (isOperator && ctx.newerVersion?.()) || null,
    }),
    backupProblem: t.string({
      nullable: true,
      description:
        'Why there is no recent backup in `BACKUP_DIR`, for operators. Null if there is one, or without `BACKUP_DIR`.',
      resolve: ({ isOperator }, _args, ctx) => (isOperator && ctx.backups?.findProblem()) || null,
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerType,
    nullable: true,
    description: 'The person who is signed in to the dashboard. Null for keys and tokens.',
    resolve: (_root, _args, { actor }) => (actor.kind === 'person' ? actor : null),
  }),
)

const MemberType = builder.objectRef<MemberWithPerson>('Member').implement({
  description: 'A person who has access to the program.',
  subGraphs: publicOnly,
  fields: (t) => ({
    // People are nodes too, so that the id of the person is not the member's.
    id: t.id({
      description: 'The id of the membership. Mutations take the id of the `person`.',
      resolve: ({ programId, personId }) => `${programId}/${personId}`,
    }),
    person: t.expose('person', { type: PersonType, description: 'The person.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'What the person may do in the program.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when the person has had access.' }),
  }),
})

defineNode(MemberType, {
  find: async (ctx, id) => (managesAccess(ctx) ? findMember(accessScope(ctx), id) : null),
})

const InvitationType = builder.prismaObject('Invitation', {
  description: 'An invitation to the program that was not accepted yet.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the invitation.' }),
    email: t.expose('email', { type: 'EmailAddress', description: 'The e-mail address that is invited.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'The role that the person will have.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the person was invited.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when the link works.' }),
  }),
})

defineRowNode(InvitationType, managesAccess)

builder.queryFields((t) => ({
  members: t.field({
    type: [MemberType],
    forRole: 'owner',
    description: 'The people who have access to the program, by name. Operators have access without being members.',
    resolve: (_root, _args, ctx) => listMembers(accessScope(ctx)),
  }),
  invitations: t.prismaField({
    type: ['Invitation'],
    forRole: 'owner',
    description: 'The invitations that can be accepted, newest first.',
    resolve: (_query, _root, _args, ctx) => listInvitations(accessScope(ctx)),
  }),
}))

/** The scope of people and their access: not for API keys. In true time, also in a sandbox. */
const accessScope = (ctx: GraphQLContext): ProgramCtx => ({ ...programScope(ctx), ...managementScope(ctx) })

const isMailedText =
  'Whether the mail server has accepted the mail with the link. False if it has not; the service may try again. Null if the service sends no mail.'

const InviteMemberPayload = builder
  .objectRef<Awaited<ReturnType<typeof inviteMember>>>('InviteMemberPayload')
  .implement({
    description: 'An invitation and its link.',
    subGraphs: publicOnly,
    fields: (t) => ({
      invitation: t.expose('invitation', { type: InvitationType, description: 'The invitation.' }),
      url: t.expose('url', {
        type: 'URL',
        description: 'The link to send to the person. It works once, within seven days, and cannot be shown again.',
      }),
      isMailed: t.exposeBoolean('isMailed', { nullable: true, description: isMailedText }),
    }),
  })

mutation('inviteMember', InviteMemberPayload, {
  description:
    'Invites a person to the program by a link. The service mails it, if it has a mail server. Requires the role of an owner.',
  forRole: 'owner',
  input: inviteMemberInput,
  resolve: (ctx, input) => inviteMember(accessScope(ctx), ctx, input),
})

resourceMutation('revokeInvitation', 'invitation', InvitationType, {
  description: 'Ends an invitation: its link is refused from now on. Requires the role of an owner.',
  forRole: 'owner',
  ids: { id: 'The id of the invitation.' },
  resolve: (ctx, { id }) => revokeInvitation(accessScope(ctx), id),
})

resourceMutation('updateMember', 'member', MemberType, {
  description: "Changes a member's role, with effect from their next request. Requires the role of an owner.",
  forRole: 'owner',
  input: updateMemberInput,
  resolve: (ctx, input) => updateMember(accessScope(ctx), input),
})

resourceMutation('removeMember', 'member', MemberType, {
  description: "Ends a member's access, with effect from their next request. Requires the role of an owner.",
  forRole: 'owner',
  input: removeMemberInput,
  resolve: (ctx, input) => removeMember(accessScope(ctx), input),
})

const CreateSetUpLinkPayload = builder.objectRef<{ url: string }>('CreateSetUpLinkPayload').implement({
  description: 'A link that makes an operator.',
  subGraphs: publicOnly,
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', description: 'The link. It works once.' }),
  }),
})

mutation('createSetUpLink', CreateSetUpLinkPayload, {
  forRole: 'operator',
  description: 'Creates a link with which a person makes an account as an operator of the installation.',
  input: createSetUpLinkInput,
  resolve: async (ctx, input) => createSetUpLink(operatorScope(ctx), ctx.publicUrl, input),
})

const CreatePasswordResetLinkPayload = builder
  .objectRef<Awaited<ReturnType<typeof createPasswordResetLink>>>('CreatePasswordResetLinkPayload')
  .implement({
    description: 'A link with which a person chooses a new password.',
    subGraphs: publicOnly,
    fields: (t) => ({
      url: t.expose('url', {
        type: 'URL',
        description: 'The link to send to the person. It works once, within an hour, and cannot be shown again.',
      }),
      person: t.expose('person', { type: PersonType, description: 'The person whose password it changes.' }),
      isMailed: t.exposeBoolean('isMailed', { nullable: true, description: isMailedText }),
    }),
  })

mutation('createPasswordResetLink', CreatePasswordResetLinkPayload, {
  forRole: 'operator',
  description:
    'Creates a link with which a person chooses a new password. An earlier link of the person ends. The service mails the link, if it has a mail server. Using the link ends the sessions of the person, and keeps their second factor.',
  input: createPasswordResetLinkInput,
  resolve: (ctx, input) => createPasswordResetLink(operatorScope(ctx), ctx, input),
})

const CreateEmailChangeLinkPayload = builder
  .objectRef<Awaited<ReturnType<typeof createEmailChangeLink>>>('CreateEmailChangeLinkPayload')
  .implement({
    description: 'A link with which a person confirms a new e-mail address.',
    subGraphs: publicOnly,
    fields: (t) => ({
      url: t.expose('url', {
        type: 'URL',
        description: 'The link to send to the person. It works once, within a day, and cannot be shown again.',
      }),
      person: t.expose('person', { type: PersonType, description: 'The person whose address it changes.' }),
      isMailed: t.exposeBoolean('isMailed', { nullable: true, description: isMailedText }),
    }),
  })

mutation('createEmailChangeLink', CreateEmailChangeLinkPayload, {
  forRole: 'operator',
  description:
    'Creates a link with which a person confirms a new e-mail address. An earlier link of the person ends. The service mails the link to the new address, if it has a mail server. Sessions, password and second factor of the person stay.',
  input: createEmailChangeLinkInput,
  resolve: (ctx, input) => createEmailChangeLink(operatorScope(ctx), ctx, input),
})

builder.objectField(HistoryActorType, 'person', (t) =>
  t.prismaField({
    type: 'Person',
    nullable: true,
    description: 'The person who was signed in. Null for other kinds of actors.',
    resolve: (query, { kind, actorId: id }, _args, ctx) =>
      kind !== 'person' || id === null ? null : ctx.db.person.findUnique({ ...query, where: { id } }),
  }),
)
