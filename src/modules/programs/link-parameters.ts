import type { Program } from '../../generated/prisma/client.ts'

/** The parameters that name a link, beside `via`. The column is text: requests read the program with compiled reads. */
export const linkParametersOf = ({ linkParameters }: Pick<Program, 'linkParameters'>): string[] =>
  linkParameters === '' ? [] : linkParameters.split(',')

/** The column of a list that was given. */
export const linkParametersColumn = ({ linkParameters }: { linkParameters?: string[] | undefined }) =>
  linkParameters === undefined ? {} : { linkParameters: [...new Set(linkParameters)].join(',') }
