import { CommandError, usage } from './io.ts'

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Parses a duration before now, such as `30m`, `1h` or `7d`, or a time.
 *
 * @param option - the option in messages
 * @returns the time as RFC 3339
 * @throws CommandError for another text
 */
export function parseTime(text: string, now: number, option = '--since'): string {
  return readTime(text, now, -1, option)
}

/**
 * Parses a duration after now, such as `90d`, or a time.
 *
 * @returns the time as RFC 3339
 * @throws CommandError for another text
 */
export const parseExpiry = (text: string, now: number): string => readTime(text, now, 1, '--expires')

function readTime(text: string, now: number, direction: 1 | -1, option: string): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const duration = Number(count) * units[unit as keyof typeof units]
  const time = unit === undefined ? Date.parse(text) : now + direction * duration
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new CommandError(usage, `${option} is not a time`, 'Use 30m, 1h or 7d, or 2026-01-31T12:00:00Z.')
}
