import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

export type Filters = Readonly<Record<string, string>>

/** The filters of a page, which are in the address. An empty value removes a filter. */
export function useFilters(names: readonly string[]): readonly [Filters, (change: Filters) => void] {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(
    () =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = params.get(name)
          return value === null || value === '' ? [] : [[name, value]]
        }),
      ),
    [params, names],
  )
  const setFilters = useCallback(
    (change: Filters) => {
      setParams((current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries(change)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      })
    },
    [setParams],
  )
  return [filters, setFilters]
}
