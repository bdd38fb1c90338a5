import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { DestinationAnswer } from '../destinations/destination-answer.tsx'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

const maxEvents = 100

/** The events of a delivery. */
export function EventList({ events }: { readonly events: readonly Schemas['DeliveryEvent'][] }) {
  if (events.length === 0) return <p className="muted">No events: the delivery is not normalized.</p>
  return (
    <ul className="events">
      {events.slice(0, maxEvents).map((event) => (
        <li key={`${event.destination ?? ''} ${event.id}`} className="event">
          <p className="event-head">
            <Badge state={event.state} />{' '}
            <strong>
              <Untrusted text={event.name} limit={120} />
            </strong>
          </p>
          {event.destination !== null && (
            <p>
              for the destination{' '}
              <Link href={`/destinations/${encodeURIComponent(event.destination)}`}>{event.destination}</Link>
            </p>
          )}
          <p>
            <Id value={event.id} /> <CopyButton text={event.id} label="Copy id" />
          </p>
          <p className="muted">
            <Untrusted text={event.subject} limit={200} />
          </p>
          <p className="muted">
            {event.attempts} {event.attempts === 1 ? 'attempt' : 'attempts'}, by the{' '}
            {event.route === 'queue' ? 'shared queue' : 'direct route'}, occurred{' '}
            <Time value={event.occurred_at} />
            {event.notification && (
              <>
                {' '}
                · notification <Badge state={event.notification.state} />
              </>
            )}
          </p>
          <DestinationAnswer response={event.failures.at(-1)?.response ?? null} />
        </li>
      ))}
      {events.length > maxEvents && <li className="muted">{events.length - maxEvents} more events</li>}
    </ul>
  )
}
