import { formatDuration, formatRelative, formatTime } from '../ui/format.ts'
import { Untrusted } from '../ui/text.tsx'
import { useNow } from '../ui/use-now.ts'
import type { DeliveryDetail } from './delivery-page.tsx'

interface Step {
  readonly at: string
  readonly title: string
  readonly detail?: string
  readonly tone: 'good' | 'bad' | 'busy' | 'idle' | 'warn'
}

const maxSteps = 100

/** Lists the steps of a delivery from its receipt to each attempt and the next one. */
function listSteps(delivery: DeliveryDetail): readonly Step[] {
  const { events, created_at: received } = delivery
  const steps: Step[] = [{ at: received, title: 'Received and verified', tone: 'good' }]
  if (delivery.status === 'quarantined') {
    steps.push({ at: received, title: 'Quarantined', detail: delivery.reason ?? '', tone: 'warn' })
  }
  const hasSeveralIds = new Set(events.map(({ id }) => id)).size > 1
  for (const event of events) {
    const { destination } = event
    const about = [destination === null ? '' : `to ${destination}`, hasSeveralIds ? event.id : '']
      .filter(Boolean)
      .join(' · ')
    for (const { at, error, response } of event.failures) {
      steps.push({
        at,
        title: 'Attempt failed',
        detail: [error, response && formatDuration(Math.round(response.duration_ms)), about]
          .filter(Boolean)
          .join(' · '),
        tone: 'bad',
      })
    }
    if (event.published_at !== null) {
      const title = event.duplicate
        ? 'Published, known to the bus'
        : destination === null
          ? 'Published'
          : 'Accepted'
      const count = `${event.attempts} ${event.attempts === 1 ? 'attempt' : 'attempts'}`
      steps.push({
        at: event.published_at,
        title,
        detail: [count, about].filter(Boolean).join(' · '),
        tone: 'good',
      })
    }
    if (event.state === 'dead') {
      const at = event.failures.at(-1)?.at ?? received
      steps.push({ at, title: 'Dead: no attempts are left', detail: about, tone: 'bad' })
    }
    if (event.due_at !== null && (event.state === 'pending' || event.state === 'queued')) {
      steps.push({ at: event.due_at, title: 'Next attempt', detail: about, tone: 'busy' })
    }
    for (const { at, error } of event.notification?.failures ?? []) {
      steps.push({ at, title: 'Notification failed', detail: error, tone: 'bad' })
    }
    if (event.notification?.state === 'dead') {
      const at = event.notification.failures.at(-1)?.at ?? received
      steps.push({ at, title: 'Notification dead: no attempts are left', detail: about, tone: 'bad' })
    }
  }
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(0, maxSteps)
}

export function Timeline({ delivery }: { readonly delivery: DeliveryDetail }) {
  const now = useNow()
  const received = Date.parse(delivery.created_at)
  return (
    <ol className="timeline">
      {listSteps(delivery).map((step, index) => (
        <li key={index} className={`step step-${step.tone}`}>
          <span className="step-title">{step.title}</span>
          {step.detail !== undefined && step.detail !== '' && (
            <span className="step-detail">
              <Untrusted text={step.detail} limit={200} />
            </span>
          )}
          <time className="step-time" dateTime={step.at} title={step.at}>
            {formatTime(step.at, new Date(now))}
            <span className="muted">
              {' '}
              {Date.parse(step.at) > now
                ? formatRelative(step.at, now)
                : formatElapsed(Date.parse(step.at) - received)}
            </span>
          </time>
        </li>
      ))}
    </ol>
  )
}

const formatElapsed = (ms: number): string => (ms <= 0 ? '' : `+${formatDuration(ms)}`)
