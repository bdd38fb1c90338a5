import type { WebhookEvent } from '../ports/event.ts'
import type { PublishResult, TargetResult } from '../ports/ports.ts'
import type { Target } from './target.ts'

/** The targets of an event, each with its last result. */
export type Progress = ReadonlyMap<Target, PublishResult | undefined>

/** Remembers which targets have an event, until all of them have it. */
export interface ProgressMemory {
  get(id: string): Progress | undefined
  set(id: string, progress: Progress): void
}

/** Creates a memory of a number of events, which forgets the oldest beyond it. */
export function createProgressMemory(maximum: number): ProgressMemory {
  const byId = new Map<string, Progress>()
  return {
    get: (id) => byId.get(id),
    set(id, progress) {
      byId.delete(id)
      if (Array.from(progress.values()).every((result) => result?.ok === true)) return
      byId.set(id, progress)
      if (byId.size > maximum) byId.delete(byId.keys().next().value as string)
    },
  }
}

/** Lists the targets that an event is published to now. */
export function listRemaining({ dataref }: WebhookEvent, progress: Progress): readonly Target[] {
  const remaining = Array.from(progress).filter(([, result]) => result?.ok !== true)
  // A target that takes the data later must not get the reference, which is for the targets that refused the size.
  const refused = remaining.filter(([, result]) => result?.ok === false && result.tooLarge === true)
  const chosen = dataref !== undefined && refused.length > 0 ? refused : remaining
  return chosen.map(([target]) => target)
}

/**
 * Combines the results of the targets: an event is published when all of them have it.
 *
 * @param before the results before this attempt
 */
export function combineResults(progress: Progress, before: Progress | undefined): PublishResult {
  const results = Array.from(progress, ([{ name }, result]) => ({ name, result }))
  const targets = listTargets(progress, before)
  const failures = results.flatMap(({ name, result }) => (result?.ok === false ? [{ name, result }] : []))
  if (failures.length === 0) {
    const isDuplicate = results.every(({ result }) => result?.ok === true && result.duplicate === true)
    return isDuplicate ? { ok: true, duplicate: true, targets } : { ok: true, targets }
  }
  const retryAfterMs = Math.max(0, ...failures.map(({ result }) => result.retryAfterMs ?? 0))
  return {
    ok: false,
    retryable: failures.some(({ result }) => result.retryable),
    error: failures.map(({ name, result }) => `${name}: ${result.error}`).join('; '),
    ...(failures.some(({ result }) => result.tooLarge === true) && { tooLarge: true }),
    ...(retryAfterMs > 0 && { retryAfterMs }),
    targets,
  }
}

/** Lists the targets that took the event in this attempt, and those that it waits for. */
function listTargets(progress: Progress, before: Progress | undefined): readonly TargetResult[] {
  return Array.from(progress).flatMap(([target, result]): readonly TargetResult[] => {
    if (result?.ok === true) return before?.get(target)?.ok === true ? [] : [{ name: target.name, ok: true }]
    return result?.retryable === true ? [{ name: target.name, ok: false }] : []
  })
}
