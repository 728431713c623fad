import { describe, expect, it } from 'vitest'
import { columnName } from '../../../../src/modules/exports/columns.ts'
import { affiliates } from '../../../../src/resources/affiliates.ts'
import { fieldsWith } from '../../../../src/resources/resource.ts'
import { createTestApp, restClient, type TestProgram } from '../../../support/app.ts'
import { createAffiliate } from '../../../support/factories.ts'

const app = await createTestApp()

async function run(program: TestProgram, name: string, input: object, selection: string) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  return (await program.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) ${selection} }`, { input }))[name]
}
const define = (program: TestProgram, input: object) =>
  run(program, 'createAffiliateField', input, '{ affiliateField { name label type choices } }')
const errorOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'no error',
    (error) => error.errors.map(({ message }: { message: string }) => message).join(' '),
  )
const own = (values: Record<string, string | null>) => Object.entries(values).map(([name, value]) => ({ name, value }))

async function valuesOf(program: TestProgram, id: string): Promise<Record<string, string>> {
  const text = 'query ($id: ID!) { affiliate(id: $id) { ownFields { name value } } }'
  const { affiliate } = await program.graphql(text, { id })
  return Object.fromEntries(affiliate.ownFields.map(({ name, value }: any) => [name, value]))
}

const create = async (program: TestProgram, values: Record<string, string>, email = `${crypto.randomUUID()}@x.test`) =>
  (await run(program, 'createAffiliate', { email, ownFields: own(values) }, '{ affiliate { id email } }')).affiliate

const update = (program: TestProgram, id: string, values: Record<string, string | null>) =>
  run(program, 'updateAffiliate', { id, ownFields: own(values) }, '{ affiliate { id updatedAt } }')

async function createDefined() {
  const program = await app.createProgram()
  await define(program, { name: 'audience', label: 'Audience', type: 'CHOICE', choices: ['Blog', 'Video'] })
  await define(program, { name: 'size', label: 'Size of the audience', type: 'NUMBER' })
  await define(program, { name: 'since', label: 'Partner since', type: 'DATE' })
  await define(program, { name: 'note', label: 'Note' })
  return program
}

async function found(program: TestProgram, where: object): Promise<string[]> {
  const text = `query ($where: AffiliateWhere) {
    affiliates(first: 50, where: $where, orderBy: [{ field: EMAIL, direction: ASC }]) { totalCount nodes { email } } }`
  const { affiliates } = await program.graphql(text, { where })
  expect(affiliates.totalCount).toBe(affiliates.nodes.length)
  return affiliates.nodes.map(({ email }: { email: string }) => email.replace('@x.test', ''))
}

const rest = async (program: TestProgram, path: string) => {
  const headers = { Authorization: `Bearer ${program.secret}` }
  return (await app.app.fetch(new Request(`http://localhost:4000/v1${path}`, { headers }))).text()
}

describe('definitions', () => {
  it('are listed in the order of their creation, and keep their name and type', async () => {
    const program = await createDefined()
    const change = { name: 'audience', label: 'Channel', choices: ['Blog', 'Podcast'] }
    await run(program, 'updateAffiliateField', change, '{ affiliateField { name } }')
    const { affiliateFields } = await program.graphql('{ affiliateFields { name label type choices } }')
    expect(affiliateFields).toEqual([
      { name: 'audience', label: 'Channel', type: 'CHOICE', choices: ['Blog', 'Podcast'] },
      { name: 'size', label: 'Size of the audience', type: 'NUMBER', choices: [] },
      { name: 'since', label: 'Partner since', type: 'DATE', choices: [] },
      { name: 'note', label: 'Note', type: 'TEXT', choices: [] },
    ])
  })

  it.each([
    ['a repeated name', { name: 'note', label: 'x' }, 'Name is already the name of a field'],
    ['the name of a column', { name: 'company', label: 'x' }, 'Name is the name of a field that every affiliate has'],
    ['another form of a name', { name: 'My note', label: 'x' }, 'lower-case letters, digits and underscores'],
    ['a choice without values', { name: 'a', label: 'x', type: 'CHOICE' }, "can't be blank for the type CHOICE"],
    ['a text with values', { name: 'a', label: 'x', choices: ['y'] }, 'only for fields of the type CHOICE'],
    ['the same value twice', { name: 'a', label: 'x', type: 'CHOICE', choices: ['y', 'Y'] }, 'have a value twice'],
  ])('refuse %s', async (_case, input, message) => {
    expect(await errorOf(define(await createDefined(), input))).toContain(message)
  })

  it('are at most 50', async () => {
    const program = await app.createProgram()
    for (let index = 0; index < 50; index += 1) await define(program, { name: `f${index}`, label: 'x' })
    expect(await errorOf(define(program, { name: 'f50', label: 'x' }))).toContain('at most 50 own fields')
  })

  it('take their values with them when they are deleted, and are in the history of the program', async () => {
    const program = await createDefined()
    const { id } = await create(program, { note: 'Met in Rome', size: '5' })
    expect(await run(program, 'deleteAffiliateField', { name: 'note' }, '{ deletedName }')).toEqual({
      deletedName: 'note',
    })
    await define(program, { name: 'note', label: 'Note' })
    expect(await valuesOf(program, id)).toEqual({ size: '5' })
    expect(await errorOf(run(program, 'deleteAffiliateField', { name: 'x' }, '{ deletedName }'))).toContain('not found')
    const text =
      'query ($id: ID!) { history(subject: PROGRAM, id: $id, first: 2) { nodes { changes { field from to } } } }'
    const { history } = await program.graphql(text, { id: program.id })
    expect(history.nodes[1].changes).toEqual([
      { field: 'affiliateField', from: '{"note":{"label":"Note","type":"text","choices":[]}}', to: null },
    ])
  })
})

describe('values', () => {
  it('are set with an affiliate, with many, and changed one by one', async () => {
    const program = await createDefined()
    const { id } = await create(program, { audience: 'blog', size: '0012.50', since: '2024-02-29', note: ' x ' })
    expect(await valuesOf(program, id)).toEqual({ audience: 'Blog', size: '12.5', since: '2024-02-29', note: 'x' })
    await update(program, id, { size: '13', note: null })
    expect(await valuesOf(program, id)).toEqual({ audience: 'Blog', size: '13', since: '2024-02-29' })
    const affiliates = [1, 2].map((size) => ({ email: `${size}@x.test`, ownFields: own({ size: String(size) }) }))
    const many = await run(program, 'createAffiliates', { affiliates }, '{ affiliates { ownFields { name value } } }')
    expect(many.affiliates).toEqual([
      { ownFields: [{ name: 'size', value: '1' }] },
      { ownFields: [{ name: 'size', value: '2' }] },
    ])
  })

  it.each([
    ['a number', { size: 'many' }, 'size must be a number such as 12.5'],
    ['fewer digits', { size: '1234567890.1234567' }, 'size can have at most 15 digits'],
    ['a day', { since: '2023-02-29' }, 'since must be a date such as 2026-01-31'],
    ['a choice', { audience: 'Radio' }, 'audience must be one of: Blog, Video'],
    [
      'a known field',
      { shoe_size: '44' },
      'no own field called "shoe_size". Its fields are audience, size, since, note',
    ],
    ['less text', { note: 'x'.repeat(2_001) }, 'note: Value is too long'],
  ])('need %s, and nothing is written otherwise', async (_case, values, message) => {
    const program = await createDefined()
    expect(await errorOf(create(program, values as Record<string, string>))).toContain(message)
    const { id } = await createAffiliate(program, {})
    expect(await errorOf(update(program, id, { audience: 'Blog', ...values }))).toContain(message)
    expect(await valuesOf(program, id)).toEqual({})
  })

  it('are in the history of the affiliate, each by its name, and an update without a change is none', async () => {
    const program = await createDefined()
    const { id } = await create(program, { size: '5', note: 'x' })
    await update(program, id, { size: '6', note: null, audience: 'Video' })
    await update(program, id, { size: '6' })
    const text = 'query ($id: ID!) { affiliate(id: $id) { history(first: 3) { nodes { changes { field from to } } } } }'
    const [changed, ...others] = (await program.graphql(text, { id })).affiliate.history.nodes
    expect(changed.changes).toEqual([
      { field: 'ownFields.audience', from: null, to: 'Video' },
      { field: 'ownFields.note', from: 'x', to: null },
      { field: 'ownFields.size', from: '5', to: '6' },
    ])
    expect(others.flatMap(({ changes }: any) => changes)).toContainEqual({
      field: 'ownFields.size',
      from: null,
      to: '5',
    })
  })

  it('filter lists and their totals', async () => {
    const program = await createDefined()
    await create(program, { audience: 'Blog', size: '9', since: '2024-01-31', note: '100% sure' }, 'a@x.test')
    await create(program, { audience: 'Video', size: '10', since: '2025-06-01', note: '12' }, 'b@x.test')
    await create(program, {}, 'c@x.test')
    const by = (filter: object) => found(program, { ownFields: filter })
    expect(await by({ name: 'audience', equals: 'Blog' })).toEqual(['a'])
    expect(await by({ name: 'audience', in: ['Blog', 'Video'] })).toEqual(['a', 'b'])
    expect(await by({ name: 'audience', in: [] })).toEqual([])
    expect(await by({ name: 'audience', not: 'Blog' })).toEqual(['b', 'c'])
    expect(await by({ name: 'audience', equals: null })).toEqual(['c'])
    expect(await by({ name: 'audience', not: null })).toEqual(['a', 'b'])
    expect(await by({ name: 'size', gte: '9.5' })).toEqual(['b'])
    expect(await by({ name: 'size', gt: '9', lt: '10' })).toEqual([])
    expect(await by({ name: 'size', equals: '10.0' })).toEqual(['b'])
    expect(await by({ name: 'note', equals: '12' })).toEqual(['b'])
    expect(await by({ name: 'since', lt: '2025-01-01' })).toEqual(['a'])
    expect(await by({ name: 'note', contains: '0% SU' })).toEqual(['a'])
    expect(await by({ name: 'note', contains: '_' })).toEqual([])
    expect(await by({ name: 'unknown', equals: 'x' })).toEqual([])
    const both = [{ ownFields: { name: 'size', gt: '1' } }, { ownFields: { name: 'audience', equals: 'Video' } }]
    expect(await found(program, { and: both })).toEqual(['b'])
    expect(await found(program, { or: both })).toEqual(['a', 'b'])
  })

  it('are columns of exports, also of filtered ones, and of the CSV import', async () => {
    const program = await createDefined()
    const { id } = await create(program, { audience: 'Blog', size: '9', note: 'a,"b"' }, 'a@x.test')
    await create(program, {}, 'b@x.test')
    const [head = '', ...lines] = (await rest(program, '/exports/affiliates')).trim().split('\r\n')
    const money = ['currency', 'earned_cents', 'owed_cents', 'paid_cents']
    const columns = fieldsWith(affiliates.fields, 'exported').map(([name]) => columnName(name))
    expect(head.split(',')).toEqual([...columns, ...money, 'audience', 'size', 'since', 'note'])
    expect(lines[0]).toMatch(/,Blog,9,,"a,""b"""$/)
    expect(lines[1]).toMatch(/,,,,$/)
    const rows = async (query: string) =>
      (await rest(program, `/exports/affiliates?format=ndjson&${query}`))
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one))
    const values = { audience: 'Blog', size: 9, since: null, note: 'a,"b"' }
    expect((await rows(''))[0]).toMatchObject({ id, ...values })
    for (const filter of [{ equals: 'Blog' }, { not: null }]) {
      const where = JSON.stringify({ ownFields: { name: 'audience', ...filter } })
      expect(await rows(`where=${encodeURIComponent(where)}`)).toEqual([expect.objectContaining({ id, ...values })])
    }
    const imported = async (csv: string) =>
      (await run(program, 'importAffiliates', { csv }, '{ created lines { outcome problems { field message } } }'))
        .lines
    expect(await imported('email,size,Partner since,AUDIENCE\nx@x.test,many,yesterday,Blog')).toEqual([
      {
        outcome: 'INVALID',
        problems: [
          { field: 'size', message: 'size must be a number such as 12.5.' },
          { field: 'since', message: 'since must be a date such as 2026-01-31.' },
        ],
      },
    ])
    expect(await imported('email,size,Partner since,AUDIENCE\nx@x.test,3,2020-01-01,video')).toMatchObject([
      { outcome: 'CREATED' },
    ])
    expect(await found(program, { ownFields: { name: 'since', equals: '2020-01-01' } })).toEqual(['x'])
  })

  it('are what applicants have answered to questions with the same name', async () => {
    const program = await createDefined()
    const fields = ['size', 'audience', 'hobby'].map((name) => ({ name, label: name }))
    await run(program, 'updateJoinSettings', { fields }, '{ joinSettings { isOpen } }')
    const apply = async (answers: object) => {
      const body = JSON.stringify({ email: 'ada@stranger.test', ...answers })
      const headers = { 'Content-Type': 'application/json' }
      const url = `http://localhost:4000/join/${program.slug}`
      return (await app.app.fetch(new Request(url, { method: 'POST', headers, body }))).json() as Promise<any>
    }
    expect(JSON.stringify(await apply({ size: 'large' }))).toContain('size must be a number')
    await apply({ size: '300', audience: 'Video', hobby: 'Chess' })
    await app.database.db.application.updateMany({
      where: { programId: program.id },
      data: { confirmedAt: new Date() },
    })
    const { applications } = await program.graphql('{ applications(first: 5) { nodes { id } } }')
    const ids = applications.nodes.map(({ id }: { id: string }) => id)
    // A choice that is gone since is left out.
    await run(program, 'updateAffiliateField', { name: 'audience', choices: ['Blog'] }, '{ affiliateField { name } }')
    await run(program, 'approveApplications', { ids }, '{ applications { affiliateId } }')
    const { affiliates } = await program.graphql('{ affiliates(first: 5) { nodes { ownFields { name value } } } }')
    expect(affiliates.nodes).toEqual([{ ownFields: [{ name: 'size', value: '300' }] }])
  })

  it('are in the superset of REST, in requests and responses, and in events', async () => {
    const program = await createDefined()
    const given = [
      { name: 'size', value: 7 },
      { name: 'audience', value: 'Blog' },
    ]
    const { id } = await createAffiliate(program, { own_fields: given })
    const headers = { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json' }
    const shown = [
      { name: 'audience', value: 'Blog' },
      { name: 'size', value: '7' },
    ]
    const { createApiKey } = await app.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "x", profile: SUPERSET }) { secret } }',
      { id: program.id },
    )
    const superset = restClient(app.app.fetch, { ...headers, Authorization: `Bearer ${createApiKey.secret}` })
    expect((await superset.get(`/affiliates/${id}`)).body.own_fields).toEqual(shown)
    expect((await superset.get('/affiliates')).body.data[0].own_fields).toEqual(shown)
    const changed = await superset.put(`/affiliates/${id}`, { own_fields: [{ name: 'size', value: '' }] })
    expect([changed.status, changed.body.own_fields]).toEqual([200, shown.slice(0, 1)])
    const wrong = await superset.put(`/affiliates/${id}`, { own_fields: [{ name: 'size', value: 'x' }] })
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([422, expect.stringContaining('size must be a number')])
    const events = (await superset.get('/events?limit=20')).body.data
    const updated = events.find(({ type }: any) => type === 'affiliate.updated')
    expect(JSON.stringify(updated)).toContain(JSON.stringify(shown.slice(0, 1)))
    const contract = await app.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "y", profile: CONTRACT }) { secret } }',
      { id: program.id },
    )
    const plain = restClient(app.app.fetch, { Authorization: `Bearer ${contract.createApiKey.secret}` })
    expect((await plain.get(`/affiliates/${id}`)).body).not.toHaveProperty('own_fields')
  })

  it('are exported with the person, and erased with it everywhere', async () => {
    const program = await createDefined()
    const { id, email } = await create(program, { note: 'Lives in Soho' })
    await update(program, id, { note: 'Lives in Camden' })
    const { exportPerson } = await program.graphql(
      'query ($email: EmailAddress!) { exportPerson(email: $email) { json } }',
      { email },
    )
    expect(JSON.parse(exportPerson.json).affiliate[0].own_fields).toEqual({ note: 'Lives in Camden' })
    await run(program, 'erasePerson', { email }, '{ erasedAffiliateId }')
    expect(await valuesOf(program, id)).toEqual({})
    const tables = ['affiliates', 'changes', 'event_states']
    for (const table of tables) {
      const rows = await app.database.db.$queryRawUnsafe(
        `select 1 from ${table} t where program_id = $1::uuid and to_jsonb(t)::text like '%Lives in%'`,
        program.id,
      )
      expect([table, rows]).toEqual([table, []])
    }
  })
})

describe('setOwnFields', () => {
  const set = (program: TestProgram, affiliateIds: string[], values: Record<string, string | null>) =>
    run(
      program,
      'setOwnFields',
      { affiliateIds, ownFields: own(values) },
      '{ affiliates { id ownFields { name value } } }',
    )

  it('gives several affiliates the same values, and leaves other fields', async () => {
    const program = await createDefined()
    const [ada, bob] = [await create(program, { note: 'A', size: '5' }), await create(program, { audience: 'Blog' })]
    const { affiliates } = await set(program, [bob.id, ada.id, bob.id], { audience: 'video', size: '12.5', note: null })
    expect(affiliates.map(({ id }: { id: string }) => id)).toEqual([bob.id, ada.id])
    expect(await valuesOf(program, ada.id)).toEqual({ audience: 'Video', size: '12.5' })
    expect(await valuesOf(program, bob.id)).toEqual({ audience: 'Video', size: '12.5' })
    const text = `query ($where: AffiliateWhere) { affiliates(where: $where) { totalCount } }`
    const where = { ownFields: { name: 'size', gte: '12' } }
    expect((await program.graphql(text, { where })).affiliates.totalCount).toBe(2)
  })

  it('has an entry and an event for each affiliate whose values change, by one request', async () => {
    const program = await createDefined()
    const [ada, bob] = [await create(program, { note: 'A' }), await create(program, {})]
    await set(program, [ada.id, bob.id], { note: 'A' })
    const entries = async (id: string) => {
      const rows = await app.database.db.change.findMany({ where: { programId: program.id, subjectId: id } })
      return rows.filter(({ action }) => action === 'updated')
    }
    expect(await entries(ada.id)).toEqual([])
    expect(await entries(bob.id)).toMatchObject([{ fields: { ownFields: [null, '{"note":"A"}'] } }])
    const events = await app.database.db.event.findMany({ where: { programId: program.id, type: 'affiliate.updated' } })
    expect(events.map(({ subjectId }) => subjectId)).toEqual([bob.id])
  })

  it('changes nobody if a value or an affiliate is wrong, and reports every problem', async () => {
    const program = await createDefined()
    const ada = await create(program, {})
    const other = await create(await createDefined(), {})
    const error = await errorOf(set(program, [ada.id, other.id], { size: 'many', audience: 'Radio' }))
    expect(error).toContain(`Affiliate not found: ${other.id}`)
    expect(error).toContain('size must be a number such as 12.5.')
    expect(error).toContain('audience must be one of: Blog, Video.')
    expect(await errorOf(set(program, [ada.id, other.id], { size: '1' }))).toContain('Affiliate not found')
    expect(await valuesOf(program, ada.id)).toEqual({})
  })
})
