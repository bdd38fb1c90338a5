const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** Formats a number of bytes, such as `19.7 KB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? String(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[unit] ?? ''}`
}

const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** Formats the distance of a time from now, such as `3 min. ago`. */
export function formatRelative(time: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000)
  for (const [size, unit] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return 'now'
}

const sameDay = new Intl.DateTimeFormat('en', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
})
const otherDay = new Intl.DateTimeFormat('en', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})

/** Formats a time in the time zone of the browser; without the date for today. */
export function formatTime(time: string, now = new Date()): string {
  const date = new Date(time)
  return (date.toDateString() === now.toDateString() ? sameDay : otherDay).format(date)
}

/** Formats a number of milliseconds, such as `120 ms` or `3.4 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}

/** Formats a share from 0 to 1, such as `2.5 %`. */
export const formatShare = (share: number): string => `${Number((share * 100).toFixed(1))} %`

/** Formats a number with separators. */
export const formatCount = (value: number): string => value.toLocaleString('en')
