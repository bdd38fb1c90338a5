import type { Message } from '../ports/event.ts'
import type { AlertState } from './store.ts'

/** A condition that operators have to know about. */
export interface Finding {
  /** Stable, such as `dead_letters`: findings with one name are one alert. */
  readonly name: string
  readonly severity: Message['severity']
  readonly title: string
  readonly text: string
  /** A firing alert is sent again when its level rises. @default 0 */
  readonly level?: number
}

/** The result of one source; undefined if the source failed, and the state of its alerts is unknown. */
export interface SourceResult {
  readonly source: string
  readonly findings: readonly Finding[] | undefined
}

export interface EvaluateOptions {
  readonly targets: readonly string[]
  readonly holdMs: number
  readonly repeatMs: number
  readonly newId: () => string
}

/**
 * Creates a function that returns the next states of all alerts. A condition has to hold, or to be gone, for `holdMs`
 * before its alert changes, so that an engine that reconnects causes no message.
 */
export function createEvaluator({ targets, holdMs, repeatMs, newId }: EvaluateOptions) {
  /** When a condition that differs from the state of its alert was first seen. */
  const differing = new Map<string, number>()

  function hasHeld(key: string, now: number): boolean {
    const first = differing.get(key) ?? now
    differing.set(key, first)
    return now - first >= holdMs
  }

  function evaluateOne(
    key: string,
    source: string,
    state: AlertState | undefined,
    finding: Finding | undefined,
    now: number,
  ): AlertState | undefined {
    const isFiring = state?.status === 'firing'
    if ((finding !== undefined) === isFiring) differing.delete(key)
    const message = { changedAt: now, unsent: targets }
    if (finding === undefined) {
      if (!isFiring || !hasHeld(key, now)) return state
      differing.delete(key)
      return { ...state, ...message, status: 'resolved' }
    }
    const { name, severity, title, text, level = 0 } = finding
    if (!isFiring) {
      if (!hasHeld(key, now)) return state
      differing.delete(key)
      // The end of the last occurrence may be unsent: the occurrence continues, so that no target misses its end.
      const { id, since } = state ?? { id: newId(), since: now }
      return { id, source, name, status: 'firing', severity, title, text, level, since, ...message }
    }
    if (level <= state.level && now - state.changedAt < repeatMs) return state
    return { ...state, severity, title, text, level: Math.max(level, state.level), ...message }
  }

  return function evaluate(
    states: readonly AlertState[],
    results: readonly SourceResult[],
    now: number,
  ): readonly AlertState[] {
    const next: AlertState[] = []
    for (const { source, findings } of results) {
      const own = states.filter((state) => state.source === source)
      if (findings === undefined) {
        next.push(...own)
        continue
      }
      const names = new Set([...own, ...findings].map(({ name }) => name))
      for (const name of names) {
        const state = own.find((one) => one.name === name)
        const finding = findings.find((one) => one.name === name)
        const changed = evaluateOne(`${source} ${name}`, source, state, finding, now)
        if (changed !== undefined) next.push(changed)
      }
      // A condition that vanished before it held has no state and no finding.
      const prefix = `${source} `
      for (const key of differing.keys())
        if (key.startsWith(prefix) && !names.has(key.slice(prefix.length))) differing.delete(key)
    }
    return next
  }
}
