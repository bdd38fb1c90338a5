import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { formatCount, formatShare } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { DestinationEvents } from './destination-events.tsx'
import { Reason } from './destinations-page.tsx'
import { ManagedDestination } from './managed-destination.tsx'
import { PauseDestination } from './pause-destination.tsx'
import { useDestinations } from './use-destinations.ts'

/** One destination with its newest events. */
export function DestinationPage({ name }: { readonly name: string }) {
  const query = useDestinations()
  const destination = query.data?.data.destinations.find((one) => one.name === name)
  if (destination !== undefined) return <Detail destination={destination} />
  return (
    <>
      <PageHeader title="Destination" tabTitle="Destination" />
      {query.isPending ? (
        <Loading />
      ) : query.data === undefined ? (
        <ErrorNotice error={query.error} onRetry={query.refetch} />
      ) : (
        <Empty title="There is no such destination.">
          <LinkButton to="/destinations">All destinations</LinkButton>
        </Empty>
      )}
    </>
  )
}

function Detail({ destination }: { readonly destination: Schemas['Destination'] }) {
  const { name, state, managed } = destination
  const { has } = useFeatures()
  const mayManage = useOperator()?.may('manage') === true
  const query = useQuery({
    queryKey: ['destination', name],
    queryFn: ({ signal }) => unwrap(api.GET('/destinations/{name}', { params: { path: { name } }, signal })),
    enabled: managed && mayManage && has('getDestination'),
  })
  return (
    <>
      <p className="crumbs">
        <Link href="/destinations">← Destinations</Link>
      </p>
      <PageHeader
        tabTitle={`Destination ${name}`}
        title={
          <>
            {name} <Badge state={state} />
          </>
        }
        lead={<Reason destination={destination} />}
      >
        <LinkButton to={`/deliveries?destination=${encodeURIComponent(name)}`}>Deliveries</LinkButton>
        <PauseDestination destination={destination} />
      </PageHeader>
      <div className="columns">
        <div className="column-main">{has('listDestinationEvents') && <DestinationEvents name={name} />}</div>
        <div className="column-side">
          <Card title="Facts">
            <Facts destination={destination} />
          </Card>
          {query.data && <ManagedDestination destination={query.data.data} />}
          {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
        </div>
      </div>
    </>
  )
}

function Facts({ destination }: { readonly destination: Schemas['Destination'] }) {
  const { mode, order, concurrency, rate_per_second: rate, opened_at, oldest_at, attempts } = destination
  const { error_share, last_success_at, last_success_status } = destination
  return (
    <dl className="facts">
      <Fact name="Waiting">
        {formatCount(destination.pending)}
        {oldest_at !== null && (
          <>
            , oldest <Time value={oldest_at} isRelative />
          </>
        )}
      </Fact>
      <Fact name="Attempts, 1 h">
        {formatCount(attempts)}
        {error_share !== null && `, ${formatShare(error_share)} failed`}
      </Fact>
      <Fact name="Last success">
        {last_success_at === null ? 'none' : <Time value={last_success_at} isRelative />}
        {last_success_status !== null && ` (${last_success_status})`}
      </Fact>
      <Fact name="Filtered, 1 h">{formatCount(destination.filtered)}</Fact>
      <Fact name="Circuit breaker">
        {opened_at === null ? (
          'closed'
        ) : (
          <>
            open since <Time value={opened_at} />
          </>
        )}
      </Fact>
      {mode !== null && <Fact name="Mode">{mode}</Fact>}
      {destination.redact.length > 0 && <Fact name="Redacted">{destination.redact.join(', ')}</Fact>}
      {order !== null && <Fact name="Order">{order === 'none' ? 'none' : `by ${order}`}</Fact>}
      {concurrency !== null && <Fact name="Concurrency">{formatCount(concurrency)} for each process</Fact>}
      {mode !== null && <Fact name="Rate">{rate === null ? 'no limit' : `${formatCount(rate)}/s`}</Fact>}
      <Fact name="Declared">{destination.managed ? 'by operators' : 'in a file or in code'}</Fact>
    </dl>
  )
}
