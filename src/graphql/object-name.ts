/** The field that names a resource's type over REST; GraphQL has `__typename`. */
export const objectName = <T>(
  t: { string: (options: { subGraphs: ['rest']; resolve: () => string }) => T },
  name: string,
): T => t.string({ subGraphs: ['rest'], resolve: () => name })
