import { builder } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import type { Json } from '../../kernel/canonical-json.ts'
import { findPrinted, findSealed, paperName, pdfOfStatement, sealedFile } from './find.ts'

type File = Record<string, Json>
type JsonObject = Record<string, unknown>

const part = (name: string) => (file: File) => file[name] as JsonObject

const StatementFileType = builder.objectRef<File>('StatementFile').implement({
  description: 'A statement as a file that anybody can verify: see docs/statement-format.md.',
  subGraphs: ['rest'],
  fields: (t) => ({
    format: t.string({ description: 'The form of the file.', resolve: ({ format }) => format as string }),
    header: t.field({ type: 'JSONObject', description: 'What is signed.', resolve: part('header') }),
    lines: t.field({
      type: ['JSONObject'],
      description: 'What was booked, in order.',
      resolve: ({ lines }) => lines as unknown as JsonObject[],
    }),
    disclosed: t.field({
      type: 'JSONObject',
      description: 'Personal texts, whose salted hashes are signed.',
      resolve: part('disclosed'),
    }),
    proof: t.field({ type: 'JSONObject', description: 'How it leads to what was signed.', resolve: part('proof') }),
    seal: t.string({ description: 'The signed month: a JWS in compact form.', resolve: ({ seal }) => seal as string }),
  }),
})

const StatementPdfType = builder.objectRef<{ name: string; content: string }>('StatementPdf').implement({
  description: 'A statement on paper.',
  subGraphs: ['rest'],
  fields: (t) => ({
    fileName: t.exposeString('name', { description: 'What the file is called.' }),
    base64: t.exposeString('content', { description: 'The PDF file, in base64.' }),
  }),
})

builder.queryField('statementPdf', (t) =>
  t.field({
    type: StatementPdfType,
    description: 'The statement on paper, as a PDF file.',
    isLookUp: true,
    subGraphs: ['rest'],
    args: { id: t.arg.id({ required: true, description: 'The id of the statement.' }) },
    resolve: async (_root, { id }, ctx) => {
      const statement = await findPrinted(programScope(ctx), id)
      return {
        name: paperName(statement),
        content: (await pdfOfStatement(statement, ctx.publicUrl)).toString('base64'),
      }
    },
  }),
)

builder.queryField('statementJson', (t) =>
  t.field({
    type: StatementFileType,
    description: 'The statement as a file that anybody can verify, with its proofs.',
    isLookUp: true,
    subGraphs: ['rest'],
    args: { id: t.arg.id({ required: true, description: 'The id of the statement.' }) },
    resolve: async (_root, { id }, ctx) => sealedFile(await findSealed(programScope(ctx), id)),
  }),
)
