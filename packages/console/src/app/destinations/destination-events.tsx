import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { DestinationAnswer } from './destination-answer.tsx'

const states = [
  { state: undefined, label: 'All' },
  { state: 'pending', label: 'Waiting' },
  { state: 'dead', label: 'Dead' },
] as const

/** The newest events of a destination, with the answer to the last failed attempt. */
export function DestinationEvents({ name }: { readonly name: string }) {
  const [state, setState] = useState<(typeof states)[number]['state']>()
  const query = useQuery({
    queryKey: ['destination-events', name, state],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/destinations/{name}/events', {
          params: { path: { name }, query: { limit: 50, ...(state && { state }) } },
          signal,
        }),
      ),
    refetchInterval: 5000,
  })
  return (
    <Card
      title="Newest events"
      actions={
        <div className="segments" role="group" aria-label="State">
          {states.map((one) => (
            <Button
              key={one.label}
              look="quiet"
              aria-pressed={one.state === state}
              onPress={() => {
                setState(one.state)
              }}
            >
              {one.label}
            </Button>
          ))}
        </div>
      }
    >
      {query.isPending ? (
        <Loading />
      ) : query.data === undefined ? (
        <ErrorNotice error={query.error} onRetry={query.refetch} />
      ) : (
        <Events {...query.data.data} />
      )}
    </Card>
  )
}

function Events({ events, truncated }: Schemas['DestinationEvents']) {
  if (events.length === 0) return <Empty title="There is no such event." />
  return (
    <>
      <ul className="events">
        {events.map((event) => (
          <Event key={`${event.delivery_id} ${event.id}`} event={event} />
        ))}
      </ul>
      {truncated && <p className="muted list-foot">The newest {formatCount(events.length)} are shown.</p>}
    </>
  )
}

function Event({ event }: { readonly event: Schemas['DestinationEvent'] }) {
  const { state, attempts, due_at, last_failure: failure } = event
  return (
    <li className="event">
      <p className="event-head">
        <Badge state={state} />{' '}
        <Link href={`/deliveries/${event.delivery_id}`}>
          <Untrusted text={event.name} limit={120} />
        </Link>
      </p>
      <p className="muted">
        <Untrusted text={event.subject} limit={200} />
      </p>
      <p className="muted">
        received <Time value={event.received_at} isRelative />
        {attempts > 0 && `, ${formatCount(attempts)} failed ${attempts === 1 ? 'attempt' : 'attempts'}`}
        {state === 'pending' && due_at !== null && (
          <>
            , due <Time value={due_at} isRelative />
          </>
        )}
      </p>
      {failure !== null && state !== 'published' && (
        <>
          <p className="reason">
            <Untrusted text={failure.error} limit={200} />
          </p>
          <DestinationAnswer response={failure.response} />
        </>
      )}
    </li>
  )
}
