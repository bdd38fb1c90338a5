import type { Filters } from './use-filters.ts'

/** Converts filters of the list to the criteria of a replay. */
export function toCriteria({
  receivedAfter,
  receivedBefore,
  minAttempts,
  eventId,
  ...filters
}: Filters): Record<string, unknown> {
  const criteria = {
    ...filters,
    ...(receivedAfter !== undefined && { received_after: receivedAfter }),
    ...(receivedBefore !== undefined && { received_before: receivedBefore }),
    ...(eventId !== undefined && { event_id: eventId }),
    ...(minAttempts !== undefined && { min_attempts: Number(minAttempts) }),
  }
  return Object.keys(criteria).length === 0 ? { all: true } : criteria
}
