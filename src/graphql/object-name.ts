/** The REST field with the name of a resource's type. GraphQL has `__typename`. */
export const objectName = <T>(
  t: {
    string: (options: {
      subGraphs: ['rest']
      description: string
      extensions: { constant: string }
      resolve: () => string
    }) => T
  },
  name: string,
): T =>
  t.string({
    subGraphs: ['rest'],
    description: 'The type of the resource.',
    extensions: { constant: name },
    resolve: () => name,
  })
