import type { Filters } from './use-filters.ts'

/** Converts filters of the list to the criteria of a replay. */
export function toCriteria({
  createdAfter,
  createdBefore,
  minAttempts,
  ...filters
}: Filters): Record<string, unknown> {
  const criteria = {
    ...filters,
    ...(createdAfter !== undefined && { received_after: createdAfter }),
    ...(createdBefore !== undefined && { received_before: createdBefore }),
    ...(minAttempts !== undefined && { min_attempts: Number(minAttempts) }),
  }
  return Object.keys(criteria).length === 0 ? { all: true } : criteria
}
