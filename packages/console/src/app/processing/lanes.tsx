import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { formatEvents, LaneActions } from './lane-actions.tsx'
import { toLaneId } from './lane-id.ts'
import { useLaneChanges } from './use-lane-changes.ts'

type Lane = Schemas['Lane']

const refreshMs = 5000

/** The views of the list of lanes. */
export const views = {
  stuck: {
    label: 'Stuck',
    query: { state: 'stuck', order: 'attempts' },
    empty: 'No lane is stuck.',
  },
  paused: { label: 'Paused', query: { state: 'paused', order: 'oldest' }, empty: 'No lane is paused.' },
  busiest: { label: 'Busiest', query: { order: 'busiest' }, empty: 'No lane has pending events.' },
  oldest: { label: 'Oldest', query: { order: 'oldest' }, empty: 'No lane has pending events.' },
} as const

export type View = keyof typeof views

/** The first lanes of a view. */
export function LaneList({ view }: { readonly view: View }) {
  const { query: parameters, empty } = views[view]
  const query = useQuery({
    queryKey: ['lanes', parameters],
    queryFn: ({ signal }) => unwrap(api.GET('/lanes', { params: { query: parameters }, signal })),
    // The busiest lanes are found by a count of all pending events.
    refetchInterval: view === 'busiest' ? 6 * refreshMs : refreshMs,
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { lanes, truncated } = query.data.data
  if (lanes.length === 0) return <Empty title={empty} />
  return (
    <>
      {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      <ul className="stack">
        {lanes.map((lane) => (
          <LaneItem key={lane.id} lane={lane} />
        ))}
      </ul>
      {truncated && (
        <p className="muted list-foot">
          There are more lanes: the first {formatCount(lanes.length)} are shown.
        </p>
      )}
    </>
  )
}

/** The lane with a name. */
export function NamedLane({ name }: { readonly name: string }) {
  const id = toLaneId(name)
  const query = useQuery({
    queryKey: ['lanes', id],
    queryFn: ({ signal }) => unwrap(api.GET('/lanes/{id}', { params: { path: { id } }, signal })),
    refetchInterval: refreshMs,
    retry: false,
  })
  if (query.isPending) return <Loading />
  if (query.error instanceof ApiError && query.error.status === 404) return <IdleLane id={id} />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  return (
    <ul className="stack">
      <LaneItem lane={query.data.data} />
    </ul>
  )
}

/** A lane without pending events, which can be paused before events arrive. */
function IdleLane({ id }: { readonly id: string }) {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const change = useLaneChanges(id)
  return (
    <Empty title="The lane has no pending events, and is not paused.">
      {may && has('pauseLane') && (
        <Button
          isDisabled={change.isPending}
          onPress={() => {
            change.mutate('pause')
          }}
        >
          Pause the lane
        </Button>
      )}
      {change.isError && <ErrorNotice error={change.error} />}
    </Empty>
  )
}

function LaneItem({ lane }: { readonly lane: Lane }) {
  const { name, state, events, endpoint, endpoint_name, first } = lane
  const isNamed = endpoint_name !== null
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <Badge state={state} />{' '}
          {isNamed ? (
            <EndpointName of={lane} />
          ) : (
            <strong>
              <Untrusted text={name} limit={120} />
            </strong>
          )}
        </p>
        {isNamed && name !== endpoint && (
          <p className="muted">
            Lane <Untrusted text={name} limit={120} />
          </p>
        )}
        <p>
          {formatEvents(events)}
          {lane.paused_at !== null && (
            <span className="muted">
              , paused <Time value={lane.paused_at} isRelative />
            </span>
          )}
        </p>
        {first !== null && <FirstEvent first={first} />}
      </div>
      <LaneActions lane={lane} />
    </li>
  )
}

function FirstEvent({ first }: { readonly first: NonNullable<Lane['first']> }) {
  const { attempts, error } = first
  return (
    <>
      <p>
        First:{' '}
        <Link href={`/deliveries/${first.delivery_id}`}>
          <code>
            <Untrusted text={first.name} limit={120} />
          </code>
        </Link>
        {error !== null && (
          <>
            {' '}
            <span className="reason">
              <Untrusted text={error} limit={200} />
            </span>
          </>
        )}
      </p>
      <p className="muted">
        {attempts > 0 && `${formatCount(attempts)} failed ${attempts === 1 ? 'attempt' : 'attempts'}, `}
        first due <Time value={first.since} isRelative />
        {attempts > 0 && (
          <>
            , next attempt <Time value={first.due_at} isRelative />
          </>
        )}
      </p>
    </>
  )
}
