import type { Message } from '../ports/event.ts'
import type { AlertState } from './store.ts'

/** A message about an alert: it began, continues, or ended. */
export interface AlertMessage extends Message {
  /** Unique per message, and equal for each attempt to send it. */
  readonly messageId: string
  /** Equal in all messages about one occurrence of the condition. */
  readonly id: string
  /** Stable, such as `dead_letters`. */
  readonly name: string
  readonly status: 'firing' | 'resolved'
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Milliseconds since the epoch. */
  readonly resolvedAt?: number
}

/** Creates the message about the state of an alert. */
export function createMessage(state: AlertState, links: Message['links']): AlertMessage {
  const { id, name, status, severity, title, text, since, changedAt } = state
  const common = { messageId: `${id}.${changedAt}`, id, name, status, since, ...(links && { links }) }
  if (status === 'firing') return { ...common, severity, title, text }
  return {
    ...common,
    severity: 'info',
    title: `Resolved: ${title}`,
    text: `The alert fired for ${formatDuration(changedAt - since)}.`,
    resolvedAt: changedAt,
  }
}

const units = [
  { name: 'day', ms: 24 * 60 * 60_000 },
  { name: 'hour', ms: 60 * 60_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
] as const

/** Formats a duration with its largest unit, such as `2 hours`. */
export function formatDuration(durationMs: number): string {
  const { name, ms } = units.find((unit) => durationMs >= unit.ms) ?? units[3]
  const count = Math.floor(durationMs / ms)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
