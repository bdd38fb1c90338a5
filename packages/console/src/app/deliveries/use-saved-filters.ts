import { useState } from 'react'

/** Filters that the operator named, kept in the browser. */
export interface SavedFilter {
  readonly name: string
  /** The query of the address, without `?`. */
  readonly query: string
}

const key = 'sallyport.filters'
const maxSaved = 30

function load(): readonly SavedFilter[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(parsed) ? (parsed as SavedFilter[]).filter(isSaved).slice(0, maxSaved) : []
  } catch {
    return []
  }
}

const isSaved = (value: Partial<SavedFilter> | null): boolean =>
  typeof value?.name === 'string' && typeof value.query === 'string'

/** Returns the saved filters and a function that replaces them. */
export function useSavedFilters() {
  const [saved, setSaved] = useState(load)
  const change = (next: readonly SavedFilter[]) => {
    const kept = next.slice(0, maxSaved)
    localStorage.setItem(key, JSON.stringify(kept))
    setSaved(kept)
  }
  return {
    saved,
    save: (one: SavedFilter) => {
      change([one, ...saved.filter(({ name }) => name !== one.name)])
    },
    remove: (name: string) => {
      change(saved.filter((one) => one.name !== name))
    },
  }
}
