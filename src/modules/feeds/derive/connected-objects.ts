/** Sets of ids that grow together (union-find). The root of a set is its least id, whatever the order. */
export function createSets() {
  const parents = new Map<string, string>()
  const rootOf = (id: string): string => {
    let root = id
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent
    if (root !== id) parents.set(id, root)
    return root
  }
  const add = (id: string) => {
    if (!parents.has(id)) parents.set(id, id)
    return rootOf(id)
  }
  return {
    rootOf,
    unite(ids: readonly string[]): void {
      const roots = [...new Set(ids.map(add))].sort()
      for (const root of roots.slice(1)) parents.set(root, roots[0] as string)
    },
    /** All ids of the set, in order. An unknown id is a set of its own. */
    membersOf(id: string): string[] {
      const root = rootOf(id)
      const members = [...parents.keys()].filter((one) => rootOf(one) === root)
      return members.length > 0 ? members.sort() : [id]
    },
  }
}
