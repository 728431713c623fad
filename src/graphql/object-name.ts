/** The field that names a resource's type over REST; GraphQL has `__typename`. */
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
    description: 'Names the type of the resource.',
    extensions: { constant: name },
    resolve: () => name,
  })
