import { expect } from 'vitest'
import type { EmbeddedBus } from '@sallyport/sql/sqlite'

/** The ids of everything on the bus, in its order. */
export async function idsOn(bus: EmbeddedBus): Promise<string[]> {
  const ids: string[] = []
  for (let after = 0; ;) {
    const page = await bus.read({ after, limit: 1000 })
    ids.push(...page.map(({ event }) => event.id))
    const last = page.at(-1)
    if (last === undefined) return ids
    after = last.sequence
  }
}

/** Waits until the bus has all acknowledged events. Expects no duplicate and no event without a valid signature. */
export async function expectPublished(
  bus: EmbeddedBus,
  { acknowledged, signed }: { readonly acknowledged: Set<string>; readonly signed: Set<string> },
): Promise<void> {
  // The lease of a killed process ends 15 seconds after the record; then the event is claimed again.
  await expect
    .poll(async () => without(acknowledged, await idsOn(bus)).length, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe(0)
  const ids = await idsOn(bus)
  expect(new Set(ids).size).toBe(ids.length)
  expect(without(ids, signed)).toEqual([])
}

/** Those that are not among the others. */
export function without(these: Iterable<string>, others: Iterable<string>): string[] {
  const known = new Set(others)
  return [...these].filter((one) => !known.has(one))
}
