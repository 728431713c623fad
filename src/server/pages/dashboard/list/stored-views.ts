import type { ListSearch } from './search.ts'

/** Filters and an order with a name. */
export type View = { name: string; search: ListSearch }

const keyOf = (place: string) => `tributary-dashboard-views/${place}`

/** @param place the program and the list */
export function storedViews(place: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

/** Browsers can block storage; the views last until the page is left then. */
export function storeViews(place: string, views: readonly View[]): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(views))
  } catch {}
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'object' &&
  value.search !== null &&
  Object.values(value.search).every((text) => typeof text === 'string')
