import { formatRelative, formatTime } from './format.ts'
import { useNow } from './use-now.ts'

/** A time in the time zone of the browser; the title is UTC. */
export function Time({
  value,
  isRelative = false,
}: {
  readonly value: string
  readonly isRelative?: boolean
}) {
  const now = useNow()
  return (
    <time dateTime={value} title={value}>
      {isRelative ? formatRelative(value, now) : formatTime(value, new Date(now))}
    </time>
  )
}
